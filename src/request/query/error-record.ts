// What a parser knows about why it went no further. Records of neighbouring attempts merge, the furthest one wins, and
// the last one standing becomes the `details` of an SVC100 error (`reading.md` §4.2).

export interface ErrorRecord {
  /** Offset in UTF-16 units. */
  readonly position: number;
  /** What stands there; only the first text counts. */
  readonly unexpected: string | undefined;
  /** Noted by tests for something that must not follow; hides `unexpected`. */
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

/** `unexpected "u" expecting "asc" or "desc"` */
export function describeRecord(record: ErrorRecord): string {
  const found = `unexpected ${record.explicit ?? record.unexpected ?? 'end of input'}`;
  const expected = [...new Set(record.expected)];
  const last = expected.pop();
  if (last === undefined) return found;
  return `${found} expecting ${expected.length === 0 ? last : `${expected.join(', ')} or ${last}`}`;
}

/** A text between double quotes, kept on one line. */
export function quoteText(text: string): string {
  return JSON.stringify(text);
}

/** A character between single quotes, kept on one line. */
export function quoteCharacter(character: string): string {
  return character === "'"
    ? String.raw`'\''`
    : `'${quoteText(character)
        .slice(1, -1)
        .replace(String.raw`\"`, '"')}'`;
}
