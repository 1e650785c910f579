import type { House } from "./house.ts";

const FUNCTIONS_SHOWN = 10;

/** The figures as one Markdown table. */
export function houseTable(house: House): string {
  const { files, functions, circles, exports } = house;
  const rows: [figure: string, value: string | number][] = [
    ...house.linesByFolder
      .entries()
      .map(([folder, lines]): [string, number] => [`lines of \`${folder}\``, lines]),
    ["lines of TypeScript", files.reduce((sum, { lines }) => sum + lines, 0)],
    ["of these, generated", house.generatedLines],
    ["files of TypeScript", files.length],
    ["median file, lines", median(files)],
    ["longest file, lines", files[0] === undefined ? "none" : `${files[0].lines}: \`${files[0].path}\``],
    ["named functions", functions.length],
    ["median function with its closures, lines", median(functions)],
    ...functions
      .slice(0, FUNCTIONS_SHOWN)
      .map(({ path, name, line, lines }, index): [string, string] => [
        `function ${index + 1} by length, lines`,
        `${lines}: \`${name}\`, ${path}:${line}`,
      ]),
    ["import circles, types included", circles.length],
    ...circles.map((paths, index): [string, string] => [
      `circle ${index + 1}, ${paths.length} files`,
      paths.join("<br>"),
    ]),
    ["exported names", exports.all],
    ["exported names with one importing file", exports.ofOneImporter],
    ["exported names with none (entries and tests)", exports.ofNone],
    ["files with one importer", house.filesOfOneImporter],
    ["`rows<` casts", house.rowsCasts],
    ["SQL files", house.sqlFiles],
    ["lines of SQL", house.sqlLines],
    ...house.tests
      .entries()
      .map(([folder, { lines, calls }]): [string, string] => [
        `lines of \`${folder}\`, calls of test`,
        `${lines}, ${calls}`,
      ]),
    ["lines of tests", house.tests.values().reduce((sum, { lines }) => sum + lines, 0)],
    ["Markdown documents", house.documents],
    ["words in them", house.documentWords],
    ["files that name an event (`container_misrouted`)", house.touched.byAnEvent],
    ["files that name an error code (`ENDPOINT_LIMIT`)", house.touched.byAnErrorCode],
    ["files that name a carrier's quirk (`asOf`)", house.touched.byAQuirk],
    ["folders that hold a product (`air`)", house.touched.byAProduct.folders],
    ["files elsewhere that import it", house.touched.byAProduct.files],
  ];
  const lines = rows.map(([figure, value]) => `| ${figure} | ${value} |`);
  return ["| Figure | Value |", "| --- | --- |", ...lines].join("\n");
}

/** The lower one of two in the middle. */
function median(sorted: readonly { readonly lines: number }[]): number {
  return sorted[Math.floor(sorted.length / 2)]?.lines ?? 0;
}
