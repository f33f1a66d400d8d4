// A comment of the database → the two texts of an operation (`operating.md` §12.3).

export interface CommentText {
  /** The first line. */
  readonly summary: string;
  /** What follows the first line and the blank lines after it; may be empty. */
  readonly description: string;
}

export function splitComment(comment: string): CommentText {
  const end = comment.indexOf('\n');
  if (end === -1) return { summary: comment, description: '' };
  return { summary: comment.slice(0, end), description: comment.slice(end).replace(/^\n+/u, '') };
}

/** `summary` and `description` of an operation, undefined where there is nothing to say. */
export function describeOperation(comment: string | undefined): Partial<CommentText> {
  if (comment === undefined) return {};
  const { summary, description } = splitComment(comment);
  return description === '' ? { summary } : { summary, description };
}
