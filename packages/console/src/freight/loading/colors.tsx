/** The colours in which cargo is drawn: of its lines, or of the stops where it is unloaded. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";

import { colorOfLine, type ColorOf } from "./palette.ts";

const Colors = createContext<ColorOf>(colorOfLine);

export const ColorsProvider = Colors.Provider;

export function useColors(): ColorOf {
  return useContext(Colors);
}
