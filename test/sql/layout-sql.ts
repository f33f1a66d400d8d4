// Formats one line of SQL for reading: each clause on its own line, indented by the subqueries around it.

const TOKEN = /'(?:[^']|'')*'|"(?:[^"]|"")*"|[()]|[^\s()'"]+|\s+/gu;
const CLAUSE =
  /^(?:WITH|SELECT|INSERT INTO|UPDATE|DELETE FROM|FROM|LEFT JOIN|INNER JOIN|CROSS JOIN|WHERE|GROUP BY|ORDER BY|LIMIT|ON CONFLICT|RETURNING)$/u;
/** Includes `DISTINCT FROM` and `DO UPDATE`, whose second word does not begin a clause. */
const PAIR =
  /^(?:INSERT INTO|DELETE FROM|LEFT JOIN|INNER JOIN|CROSS JOIN|GROUP BY|ORDER BY|ON CONFLICT|DISTINCT FROM|DO UPDATE)$/u;
const FRESH_LINE = /(?:^|\n) *$/u;

/** Differs from database to database. */
const OID = /'\d+'::regclass/gu;

export function layoutSql(sql: string): string {
  const tokens = joinPairs(sql.replace(OID, "'{oid}'::regclass").match(TOKEN) ?? []);
  /** Whether each open parenthesis contains a query. */
  const open: boolean[] = [];
  const breakLine = () => `\n${'  '.repeat(open.filter(Boolean).length)}`;
  let text = '';
  for (const [position, token] of tokens.entries()) {
    const isClause = CLAUSE.test(token) && open.at(-1) !== false;
    if (token === ')' && open.pop() === true) text += breakLine();
    else if (isClause && !FRESH_LINE.test(text)) text = text.trimEnd() + breakLine();
    text += token;
    if (token !== '(') continue;
    const isQuery = CLAUSE.test(tokens[position + 1] ?? '');
    open.push(isQuery);
    if (isQuery) text += breakLine();
  }
  return text;
}

function joinPairs(tokens: readonly string[]): readonly string[] {
  const joined: string[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at] ?? '';
    const pair = `${token} ${tokens[at + 2] ?? ''}`;
    joined.push(PAIR.test(pair) ? pair : token);
    if (PAIR.test(pair)) at += 2;
  }
  return joined;
}
