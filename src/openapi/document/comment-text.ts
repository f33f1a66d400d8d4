// Splits a database comment into the summary and description of an operation (`operating.md` §12.3).

export interface CommentText {
  /** The first line. */
  readonly summary: string;
  /** The text after the first line and any blank lines that follow it; may be empty. */
  readonly description: string;
}

export function splitComment(comment: string): CommentText {
  const end = comment.indexOf('\n');
  if (end === -1) return { summary: comment, description: '' };
  return { summary: comment.slice(0, end), description: comment.slice(end).replace(/^\n+/u, '') };
}

/** Returns `summary` and `description` of an operation, without those that would be empty. */
export function describeOperation(comment: string | undefined): Partial<CommentText> {
  if (comment === undefined) return {};
  const { summary, description } = splitComment(comment);
  return description === '' ? { summary } : { summary, description };
}
