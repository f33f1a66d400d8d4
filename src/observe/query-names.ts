// A query string → the names of its parameters, without their values: for whoever looks for slow requests.

const MAX_NAMES = 16;
const MAX_NAME_LENGTH = 63;
/** So much of a query string is read. */
const MAX_LENGTH = 2048;

/** @returns `select&limit`, each name once, in their order */
export function listQueryNames(rawQuery: string): string {
  const names = new Set<string>();
  for (const piece of rawQuery.slice(0, MAX_LENGTH).split('&')) {
    const end = piece.indexOf('=');
    // Without a value it may be one itself.
    if (end > 0) names.add(readName(piece.slice(0, end)));
  }
  const listed = [...names].slice(0, MAX_NAMES);
  return (names.size > MAX_NAMES ? [...listed, '…'] : listed).join('&');
}

/** Of a path into JSON only the column: keys can be data. */
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
