/** Bytes → text. */
import { isUtf8 } from "node:buffer";

/** By a byte order mark, or the named character set if Node knows it; else UTF-8 if it is, and Latin-1 if not. */
export function decodeText(bytes: Uint8Array, charset: string | null = null): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const declared =
    charset ??
    /^\s*<\?xml\s[^>]{0,100}?encoding=["']([\w.:-]{1,40})/.exec(buffer.toString("latin1", 0, 200))?.[1];
  if (declared !== undefined && declared !== null && !isUtf8(bytes)) {
    const decoder = decoderOf(declared);
    if (decoder !== null) return decoder.decode(bytes);
  }
  return buffer.toString(isUtf8(bytes) ? "utf8" : "latin1");
}

function decoderOf(charset: string): TextDecoder | null {
  try {
    return new TextDecoder(charset);
  } catch {
    return null;
  }
}
