// `rowhouse init`: shows the SQL that a server needs, runs it when told so, and writes the configuration file for it.
import { randomBytes } from 'node:crypto';
import { closeSync, fchmodSync, lstatSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { SVC_DIALECT } from '../../contract/dialect.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import { renderReloadTrigger } from '../../doctor/checks/reload-trigger.ts';
import { describeFailure } from '../output/describe-failure.ts';
import { findOwnCommand } from '../output/own-command.ts';
import { type Answers, answerQuestions, type Ask, Terminal, type InitOptions } from './questions.ts';
import { runSetup } from './run-setup.ts';
import { makeScramVerifier } from './scram-verifier.ts';
import { changeUser, renderConfig, renderSetup, type Setup } from './setup.ts';

const RANDOM_BYTES = 32;
const SALT_BYTES = 16;
const CHANNEL = SVC_DIALECT.channel;

/** @returns the exit code */
export async function initialize(options: InitOptions): Promise<number> {
  const terminal = options.mode === 'ask' && process.stdin.isTTY && process.stdout.isTTY ? new Terminal() : undefined;
  const uri = options.uri ?? process.env['DATABASE_URL'];
  const done = await initializeWith({ ...options, uri }, terminal?.ask);
  terminal?.close();
  if (!done.ok) process.stderr.write(`${done.error}\n`);
  return done.ok ? 0 : 1;
}

async function initializeWith(options: InitOptions, ask: Ask | undefined): Promise<Result<undefined, string>> {
  const answers = await answerQuestions(options, ask);
  const password = readPassword(options.passwordFile);
  if (answers === undefined) return fail('\nNothing was done.');
  if (!password.ok) return password;
  if (answers.schema.includes(',')) return fail('Name one schema, without a comma. Nothing was done.');
  const setup = { ...answers, password: password.value };
  const isOnlyShown = options.mode !== 'run' && ask === undefined;
  const place = isOnlyShown ? undefined : findPlace(answers, { password: password.value, isForced: options.isForced });
  if (place?.ok === false) return place;
  // Elsewhere the password goes into the file, and not onto the screen.
  process.stdout.write(renderText(isOnlyShown ? setup : { ...setup, password: '********' }));
  if (place === undefined) {
    if (options.mode === 'ask') process.stderr.write('Nothing was run: --yes runs it, --print only shows it.\n');
    return ok(undefined);
  }
  const answer = ask === undefined ? 'yes' : await ask('\nRun this, and write the configuration file? [y/N]: ');
  return /^y(?:es)?$/iu.test(answer?.trim() ?? '') ? await carryOut(setup, place.value) : fail('Nothing was done.');
}

/** One trailing newline goes, since editors add it. */
function readPassword(file: string | undefined): Result<string, string> {
  if (file === undefined) return ok(randomBytes(RANDOM_BYTES).toString('base64url'));
  try {
    const password = readFileSync(file, 'utf8').replace(/\r?\n$/u, '');
    return password === '' ? fail(`${file} holds no password`) : ok(password);
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

interface Place {
  readonly adminUri: string;
  readonly loginUri: string;
  readonly file: string;
  readonly isForced: boolean;
}

function findPlace(
  { uri = '', loginRole, file }: Answers,
  { password, isForced }: { readonly password: string; readonly isForced: boolean },
): Result<Place, string> {
  if (!isForced && isTaken(file))
    return fail(`${file} is there already: --force writes over it, --file names another.`);
  if (uri === '') return fail('Name the database: postgres://user@host/name, as somebody who may make roles.');
  const loginUri = changeUser(uri, loginRole, password);
  return loginUri === undefined
    ? fail('The database must be named by a URI with one host: postgres://user@host/name.')
    : ok({ adminUri: uri, loginUri, file, isForced });
}

/** Also by a link that leads nowhere: writing would follow it. */
function isTaken(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
}

function renderText(setup: Setup): string {
  return `${renderSetup(setup).join('\n')}

-- Tells the server of schema changes; needs a superuser, and the rest goes without it.
${renderReloadTrigger(CHANNEL).join('\n')}
`;
}

async function carryOut(
  setup: Setup,
  { adminUri, loginUri, file, isForced }: Place,
): Promise<Result<undefined, string>> {
  const stored = { ...setup, password: makeScramVerifier(setup.password, randomBytes(SALT_BYTES)) };
  const ran = await runSetup(adminUri, { setup: renderSetup(stored), trigger: renderReloadTrigger(CHANNEL) });
  if (!ran.ok) return fail(`Nothing was done. ${describeFailure(ran.error, SVC_DIALECT)}`);
  const { refusal } = ran.value;
  if (refusal !== undefined) process.stderr.write(renderRefusal(describeFailure(refusal, SVC_DIALECT)));
  const jwtSecret = randomBytes(RANDOM_BYTES).toString('base64url');
  const text = renderConfig(setup, { uri: loginUri, jwtSecret });
  const written = writeConfig({ file, isForced }, text);
  if (!written.ok) return written;
  process.stdout.write(
    `\nThe configuration, with the password and a new jwt-secret, is in ${file}. Start the server:\n  ${findOwnCommand()} ${file}\n`,
  );
  return ok(undefined);
}

function renderRefusal(reason: string): string {
  return `There is no reload trigger: ${reason}. After a change of the schema run NOTIFY ${CHANNEL}, 'reload schema'.\n`;
}

/** For its owner alone. Where it cannot be written, the user needs the text: the password is nowhere else. */
function writeConfig({ file, isForced }: Pick<Place, 'file' | 'isForced'>, text: string): Result<undefined, string> {
  try {
    const opened = openSync(file, isForced ? 'w' : 'wx', 0o600);
    try {
      // Before the secrets are in it: a file that was there keeps its permissions otherwise.
      fchmodSync(opened, 0o600);
      writeFileSync(opened, text);
    } finally {
      closeSync(opened);
    }
    return ok(undefined);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return fail(`The database is set up, but the configuration cannot be written: ${reason}. It is:\n\n${text}`);
  }
}
