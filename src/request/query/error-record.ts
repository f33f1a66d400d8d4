// Describes why a parser could not continue. Records of alternatives merge, the furthest position wins, and the last
// record becomes the `details` of an SVC100 error (`reading.md` §4.2).

export interface ErrorRecord {
  /** Offset in UTF-16 units. */
  readonly position: number;
  /** The text found at the position; the first one recorded wins. */
  readonly unexpected: string | undefined;
  /** Recorded by tests for text that must not follow; overrides `unexpected`. */
  readonly explicit: string | undefined;
  readonly expected: readonly string[];
}

export function mergeRecords(first: ErrorRecord | undefined, second: ErrorRecord | undefined): ErrorRecord | undefined {
  if (first === undefined || (second !== undefined && second.position > first.position)) return second;
  if (second === undefined || first.position > second.position) return first;
  return {
    position: first.position,
    unexpected: first.unexpected ?? second.unexpected,
    explicit: first.explicit ?? second.explicit,
    expected: [...first.expected, ...second.expected],
  };
}

/** Renders a record: `unexpected "u" expecting "asc" or "desc"`. */
export function describeRecord(record: ErrorRecord): string {
  const found = `unexpected ${record.explicit ?? record.unexpected ?? 'end of input'}`;
  const expected = [...new Set(record.expected)];
  const last = expected.pop();
  if (last === undefined) return found;
  return `${found} expecting ${expected.length === 0 ? last : `${expected.join(', ')} or ${last}`}`;
}

/** Returns text in double quotes on one line. */
export function quoteText(text: string): string {
  return JSON.stringify(text);
}

/** Returns a character in single quotes on one line. */
export function quoteCharacter(character: string): string {
  return character === "'"
    ? String.raw`'\''`
    : `'${quoteText(character)
        .slice(1, -1)
        .replace(String.raw`\"`, '"')}'`;
}
