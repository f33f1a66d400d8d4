// Reads the body of a request to the SQL console, and splits its text into statements.
import { fail, ok, type Result } from '../../src/contract/result.ts';
import { readScript } from './split-script.ts';
import { parseJsonObject } from '../../src/util/json-object.ts';

export interface ConsoleRun {
  readonly statements: readonly ConsoleStatement[];
  readonly access: 'read only' | 'read write';
  /** Whether to run as the role of the token, or as the owner: the role of `ownerUri`, or the login role. */
  readonly as: 'role' | 'login';
  readonly explain: 'estimate' | 'measure' | undefined;
}

export interface ConsoleStatement {
  readonly text: string;
  /** Where it begins in the text of the request, in UTF-16 units. */
  readonly start: number;
}

/** Why the text cannot run, and where. */
export interface ConsoleProblem {
  readonly message: string;
  readonly start: number | undefined;
}

const MAX_TEXT_LENGTH = 1_000_000;
const MAX_STATEMENTS = 10_000;

const ONLY_READING = 'Without "Allow changes", only SELECT, WITH, VALUES, TABLE, SHOW and EXPLAIN run.';

/**
 * First words of the statements that a read-only run accepts. PostgreSQL rejects writes to tables in a read-only
 * transaction, but not `COPY … TO PROGRAM`, `SET`, `LISTEN` and the like.
 */
const READING = /^(?:\(|(?:select|with|values|table|explain|show)(?![\w$\u0080-\uffff]))/iu;

export function readRun(body: string): Result<ConsoleRun, ConsoleProblem> {
  const { sql, changes, as, explain } = parseJsonObject(body) ?? {};
  if (typeof sql !== 'string') return refuse('The body is a JSON object with the member "sql".');
  if (sql.length > MAX_TEXT_LENGTH) return refuse(`The text has more than ${MAX_TEXT_LENGTH} characters.`);
  if (sql.includes('\0')) return refuse('The text contains a zero byte.', sql.indexOf('\0'));
  const statements = split(sql);
  if (!statements.ok) return statements;
  const [first, second] = statements.value;
  if (first === undefined) return refuse('The text contains no statement.');
  const isExplained = explain === 'estimate' || explain === 'measure';
  if (isExplained && second !== undefined)
    return refuse('Only one statement can be explained at a time. Select it.', second.start);
  const access = changes === true ? 'read write' : 'read only';
  // EXPLAIN accepts no utility statements, and the transaction rejects the writes of what it measures.
  const isChecked = access === 'read only' && !isExplained;
  const writing = isChecked ? statements.value.find(({ text }) => !READING.test(text)) : undefined;
  if (writing !== undefined) return refuse(ONLY_READING, writing.start);
  return ok({
    statements: statements.value,
    access,
    as: as === 'login' ? 'login' : 'role',
    explain: isExplained ? explain : undefined,
  });
}

function split(sql: string): Result<readonly ConsoleStatement[], ConsoleProblem> {
  const statements: ConsoleStatement[] = [];
  for (const part of readScript(sql)) {
    if (part.kind !== 'statement') return refuse('Commands of psql and COPY … FROM stdin do not run here.');
    if (statements.length === MAX_STATEMENTS) return refuse(`The text has more than ${MAX_STATEMENTS} statements.`);
    statements.push({ text: part.text, start: part.start });
  }
  return ok(statements);
}

function refuse(message: string, start?: number): Result<never, ConsoleProblem> {
  return fail({ message, start });
}
