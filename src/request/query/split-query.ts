// Raw query string → decoded parameters in the order given (`reading.md` §2.1).

export interface Parameter {
  readonly name: string;
  /** Undefined without `=`. */
  readonly value: string | undefined;
}

/** Total: what is no percent-escape stands for itself, and bytes that are no UTF-8 become U+FFFD. */
export function splitQuery(rawQuery: string): readonly Parameter[] {
  const parameters: Parameter[] = [];
  for (const piece of rawQuery.split('&')) {
    const equals = piece.indexOf('=');
    if (equals >= 0) {
      parameters.push({ name: decodeText(piece.slice(0, equals)), value: decodeText(piece.slice(equals + 1)) });
    } else if (piece !== '') {
      parameters.push({ name: decodeText(piece), value: undefined });
    }
  }
  return parameters;
}

function decodeText(raw: string): string {
  const spaced = raw.includes('+') ? raw.replaceAll('+', ' ') : raw;
  const decoded = spaced.includes('%') ? decodePercent(spaced) : spaced;
  return LONE_SURROGATE.test(decoded) ? decoded.replaceAll(LONE_SURROGATES, '\uFFFD') : decoded;
}

const LONE_SURROGATE = /\p{Surrogate}/u;
const LONE_SURROGATES = /\p{Surrogate}/gu;
const LENIENT_UTF8 = new TextDecoder('utf-8', { ignoreBOM: true });
const ESCAPES = /(?:%[0-9A-Fa-f]{2})+/g;

function decodePercent(text: string): string {
  return text.replaceAll(ESCAPES, decodeEscapes);
}

function decodeEscapes(escapes: string): string {
  try {
    return decodeURIComponent(escapes);
  } catch {
    const bytes = escapes.slice(1).split('%');
    const utf8 = Uint8Array.from(bytes, (hex) => Number.parseInt(hex, 16));
    return LENIENT_UTF8.decode(utf8);
  }
}
