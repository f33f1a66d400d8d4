// Lists the parameter names of a query string, without values, to identify slow requests.

const MAX_NAMES = 16;
const MAX_NAME_LENGTH = 63;
/** Only this part of a query string is read. */
const MAX_LENGTH = 2048;

/** @returns distinct names in their order, such as `select&limit` */
export function listQueryNames(rawQuery: string): string {
  const names = new Set<string>();
  for (const piece of rawQuery.slice(0, MAX_LENGTH).split('&')) {
    const end = piece.indexOf('=');
    // A name without a value may itself be a value.
    if (end > 0) names.add(readName(piece.slice(0, end)));
  }
  const listed = [...names].slice(0, MAX_NAMES);
  return (names.size > MAX_NAMES ? [...listed, '…'] : listed).join('&');
}

/** Keeps only the column of a JSON path, because keys can be data. */
function readName(text: string): string {
  const [name = ''] = decode(text).split('->');
  return name.slice(0, MAX_NAME_LENGTH);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
