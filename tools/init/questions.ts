// Completes the options of `init` by asking on the terminal or by taking defaults.
import { INIT_DEFAULTS } from '../command-line/choices.ts';
import { countBytes, MAX_IDENTIFIER_BYTES } from '../../src/contract/identifiers.ts';
import { fail, ok, type Result } from '../../src/contract/result.ts';
import { escapeLine } from '../../src/observe/escape-text.ts';
import { changeUser } from './change-user.ts';
import type { ExistingSetup, ExistingTable } from './existing-tables.ts';
import type { TableAccess } from './table-access.ts';

export interface InitOptions {
  /** Connects as a role that can create roles. */
  readonly uri: string | undefined;
  readonly schema: string | undefined;
  readonly anonRole: string | undefined;
  readonly loginRole: string | undefined;
  readonly passwordFile: string | undefined;
  /** The configuration file to write. */
  readonly file: string | undefined;
  /** `ask` prompts on a terminal; without one, it only prints the SQL. */
  readonly mode: 'ask' | 'run' | 'print';
  readonly isForced: boolean;
  /** Only creates the table for idempotency keys. */
  readonly isIdempotency: boolean;
  /** Only sets up that rows can be watched. */
  readonly isLive: boolean;
  /** Names of existing tables that requests without a token may read or write, and that get a policy. */
  readonly tables: Readonly<Record<'read' | 'write' | 'policy', readonly string[]>>;
  /** Role whose tokens may change the rows of every table; `undefined` to create none, or to ask. */
  readonly editorRole: string | undefined;
  /** Who may access tables that are created later beside existing ones. */
  readonly future: Readonly<Record<'isReadable' | 'isWritable' | 'isEditable', boolean>>;
}

export interface Answers {
  readonly anonRole: string;
  readonly loginRole: string;
  readonly file: string;
  readonly uri: string | undefined;
  /** The roles of the cluster, as far as they are known. */
  readonly takenRoles: ReadonlySet<string>;
  /** The other roles of the setup whose roles get access to more tables; undefined for a new setup. */
  readonly extended?: readonly string[];
}

const DATABASE = 'Database URI, with a user who can create roles (postgres://user@host/name): ';
export const ONE_HOST = 'Specify the database as a URI with one host: postgres://user@host/name.';
const ENDED = '\nNothing was done.';

/** What a setup must not collide with. */
export interface Surroundings {
  /** Connects to the database. An error is a message for the user. */
  readonly listRoles: (uri: string) => Promise<Result<ReadonlySet<string>, string>>;
  readonly findSetup: (uri: string) => Promise<ExistingSetup | undefined>;
  readonly isTaken: (file: string) => boolean;
}

/**
 * Connects before it asks anything else, so that nobody answers questions in vain. An error is a message for the user.
 *
 * @param ask undefined if there is no terminal
 */
export async function answerQuestions(
  options: InitOptions,
  ask: Ask | undefined,
  surroundings: Surroundings,
): Promise<Result<Answers, string>> {
  const file = options.file ?? INIT_DEFAULTS.file;
  const isFree = options.isForced || !surroundings.isTaken(file);
  if (!isFree && (ask === undefined || options.file !== undefined))
    return fail(`${file} already exists. Pass --force to overwrite it, or --file to choose another.`);
  const database = await findDatabase(options, ask, surroundings);
  if (!database.ok) return database;
  const { uri, roles } = database.value;
  const { loginRole = INIT_DEFAULTS.loginRole } = options;
  if (roles.has(loginRole) && (ask === undefined || options.loginRole !== undefined))
    return fail(
      `Nothing was done. The role "${loginRole}" already exists. Pass --login-role to choose another name, such as ${freeName(loginRole, roles)}, or drop the role.`,
    );
  if (ask === undefined) return ok({ ...takeDefaults(options), uri, takenRoles: roles });
  const isNamed = [options.loginRole, options.anonRole, options.file].some((name) => name !== undefined);
  const existing = isNamed ? undefined : await surroundings.findSetup(uri);
  const extension = existing && (await askExtension(ask, existing));
  if (extension === 'ended') return fail(ENDED);
  if (extension !== undefined) return ok({ ...extension, file: INIT_DEFAULTS.file, uri, takenRoles: roles });
  const names = await askNames(options, ask, roles, surroundings.isTaken);
  return names === undefined ? fail(ENDED) : ok({ ...names, uri, takenRoles: roles });
}

/** Completes the options without a look at the database. */
export function takeDefaults(options: InitOptions): Answers {
  const { anonRole, loginRole, file } = INIT_DEFAULTS;
  return {
    anonRole: options.anonRole ?? anonRole,
    loginRole: options.loginRole ?? loginRole,
    file: options.file ?? file,
    uri: options.uri,
    takenRoles: new Set(),
  };
}

interface Database {
  readonly uri: string;
  readonly roles: ReadonlySet<string>;
}

async function findDatabase(
  { uri = '' }: InitOptions,
  ask: Ask | undefined,
  { listRoles }: Surroundings,
): Promise<Result<Database, string>> {
  const open = async (answer: string): Promise<Result<Database, string>> => {
    const roles = await listRoles(answer);
    return roles.ok ? ok({ uri: answer, roles: roles.value }) : roles;
  };
  if (uri !== '' || ask === undefined) {
    if (uri === '') return fail('Specify the database: postgres://user@host/name, with a user who can create roles.');
    if (changeUser(uri, 'name', '') === undefined) return fail(ONE_HOST);
    const opened = await open(uri);
    return opened.ok ? opened : fail(`Nothing was done. ${opened.error}`);
  }
  const answered = await askUntilValid(ask, DATABASE, async (answer) => {
    const read = readUri(answer);
    return read.ok ? await open(read.value) : read;
  });
  return answered === undefined ? fail(ENDED) : ok(answered);
}

/** @returns undefined for a new setup */
async function askExtension(
  ask: Ask,
  { loginRole, roles }: ExistingSetup,
): Promise<Pick<Answers, 'anonRole' | 'loginRole' | 'extended'> | 'ended' | undefined> {
  const names = roles.map(escapeLine).join(', ');
  const wanted = await askOneOf(
    ask,
    `This database is set up already, with the login role ${escapeLine(loginRole)} and ${names}.\nExtend the access of these roles to more tables, or create a new setup: extend or new`,
    ['extend', 'new'],
  );
  if (wanted === 'new') return undefined;
  const anonRole = wanted && (await askOneOf(ask, `Role of requests without a token: ${names}`, roles));
  if (anonRole === undefined) return 'ended';
  return { anonRole, loginRole, extended: roles.filter((role) => role !== anonRole) };
}

/** @returns undefined if the input ended */
async function askNames(
  options: InitOptions,
  ask: Ask,
  roles: ReadonlySet<string>,
  isTaken: Surroundings['isTaken'],
): Promise<Pick<Answers, 'anonRole' | 'loginRole' | 'file'> | undefined> {
  const question = <T>(text: string, usual: string, read: ReadAnswer<T>): Promise<T | undefined> =>
    askUntilValid(ask, `${text} [${usual}]: `, read);
  const anon = freeName(INIT_DEFAULTS.anonRole, roles);
  const anonRole = options.anonRole ?? (await question('Role of requests without a token', anon, readRole(anon)));
  if (anonRole === undefined) return undefined;
  const login = freeName(INIT_DEFAULTS.loginRole, new Set([...roles, anonRole]));
  const readLogin: ReadAnswer<string> = (answer) => {
    const name = readRole(login)(answer);
    return name.ok && (roles.has(name.value) || name.value === anonRole)
      ? fail(`The role ${name.value} already exists. Enter another name. Enter alone takes ${login}.`)
      : name;
  };
  const loginRole = options.loginRole ?? (await question('New login role for the server', login, readLogin));
  if (loginRole === undefined) return undefined;
  const isKept = (name: string): boolean => isTaken(name) && !options.isForced;
  const free = freeFile(INIT_DEFAULTS.file, isKept);
  const readFile: ReadAnswer<string> = (answer) => {
    const name = readFileName(free)(answer);
    return name.ok && isKept(name.value)
      ? fail(`${name.value} already exists. Enter another name. Enter alone takes ${free}.`)
      : name;
  };
  const file = options.file ?? (await question('Configuration file to write', free, readFile));
  return file === undefined ? undefined : { anonRole, loginRole, file };
}

/** Returns `usual`, or with the first number that makes it free: `authenticator_2`. */
export function freeName(usual: string, taken: ReadonlySet<string>): string {
  if (!taken.has(usual)) return usual;
  let number = 2;
  while (taken.has(`${usual}_${number}`)) number += 1;
  return `${usual}_${number}`;
}

/** Like `freeName`: `rowhouse_2.conf`. */
function freeFile(usual: string, isKept: (name: string) => boolean): string {
  const [, stem = '', ending = ''] = /^(.*?)(\.\w+)?$/u.exec(usual) ?? [];
  let [name, number] = [usual, 1];
  while (isKept(name)) {
    number += 1;
    name = `${stem}_${number}${ending}`;
  }
  return name;
}

/** Asks on the terminal; returns undefined if the input ended. */
export type Ask = (question: string) => Promise<string | undefined>;

export interface Dialog {
  readonly ask: Ask;
  /** Lets the user edit a list of the tables; returns undefined if the input ended. */
  readonly chooseAccess: (tables: readonly ExistingTable[]) => Promise<readonly TableAccess[] | undefined>;
}

/** Reads a trimmed answer. An error says what is accepted. */
type ReadAnswer<T> = (answer: string) => Result<T, string> | Promise<Result<T, string>>;

/**
 * Repeats a question until the answer is acceptable, and says what is.
 *
 * @returns undefined if the input ended
 */
export async function askUntilValid<T>(ask: Ask, question: string, read: ReadAnswer<T>): Promise<T | undefined> {
  let complaint = '';
  for (;;) {
    const answer = await ask(`${complaint}${question}`);
    if (answer === undefined) return undefined;
    const value = await read(answer.trim());
    if (value.ok) return value.value;
    complaint = `${value.error}\n`;
  }
}

const YES_OR_NO = /^(?:y|yes|n|no)$/iu;

/** An empty answer means no. @returns undefined if the input ended */
export function askYesOrNo(ask: Ask, question: string): Promise<boolean | undefined> {
  return askUntilValid(ask, `${question} [y/N]: `, (answer) => {
    const isAnswer = answer === '' || YES_OR_NO.test(answer);
    return isAnswer ? ok(/^y/iu.test(answer)) : fail('Answer y or n.');
  });
}

export const NOT_RUN = 'Nothing was run. Pass --yes to run it, or --print to only show it.\n';

/** Returns whether the SQL is only printed, and says so if nobody has asked for that. */
export function isOnlyShown(mode: InitOptions['mode'], ask: Ask | undefined): boolean {
  const isUnasked = mode === 'ask' && ask === undefined;
  if (isUnasked) process.stderr.write(NOT_RUN);
  return isUnasked || mode === 'print';
}

/** @param user who has to connect. An error is a message for the user. */
export async function askUri(
  stated: string | undefined,
  ask: Ask | undefined,
  user: string,
  before = '',
): Promise<Result<string, string>> {
  const uri = stated ?? (ask && (await askUntilValid(ask, `${before}Database URI, with ${user}: `, readUri)));
  return uri ? ok(uri) : fail(`Specify the database: postgres://user@host/name, with ${user}.`);
}

const LIST = new Intl.ListFormat('en', { type: 'disjunction' });

/** Accepts the beginning of a word. The first word is the default. @returns undefined if the input ended */
export function askOneOf<T extends string>(ask: Ask, question: string, words: readonly T[]): Promise<T | undefined> {
  return askUntilValid(ask, `${question} [${words[0] ?? ''}]: `, (answer) => {
    const word = words.find((candidate) => candidate.startsWith(answer.toLowerCase()));
    return word === undefined ? fail(`Answer ${LIST.format(words)}.`) : ok(word);
  });
}

/** Flags accept any name; an answer that is not a plain one is more likely a question. */
export function readName(usual: string): (answer: string) => Result<string, string> {
  return (answer) => {
    const name = answer || usual;
    if (name.startsWith('pg_')) return fail(`PostgreSQL reserves names that begin with pg_. Enter another one.`);
    return /^[\p{L}_][\p{L}\p{N}_-]*$/u.test(name) && countBytes(name) <= MAX_IDENTIFIER_BYTES
      ? ok(name)
      : fail(`Enter a name of letters, digits, _ and -, such as ${usual}. Enter alone takes that one.`);
  };
}

/** A lone y or n answers another question. */
export function readRole(usual: string): (answer: string) => Result<string, string> {
  return (answer) => {
    if (/^(?:public|none)$/u.test(answer)) return fail(`PostgreSQL reserves the name ${answer}. Enter another one.`);
    if (YES_OR_NO.test(answer)) return fail(`Enter the name of a role, such as ${usual}. Enter alone takes that one.`);
    return readName(usual)(answer);
  };
}

function readFileName(usual: string): (answer: string) => Result<string, string> {
  return (answer) =>
    /[?*<>|"\0]/u.test(answer)
      ? fail(`Enter the path of a file, such as ${usual}. Enter alone takes that one.`)
      : ok(answer || usual);
}

function readUri(answer: string): Result<string, string> {
  return /^postgres(?:ql)?:\/\/\S+$/u.test(answer) && changeUser(answer, 'name', '') !== undefined
    ? ok(answer)
    : fail('Enter a URI with one host, such as postgres://user@host/name.');
}
