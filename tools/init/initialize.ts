// `rowhouse init`: shows the SQL that prepares a database, runs it once confirmed, and writes the configuration file.
import { closeSync, fchmodSync, lstatSync, openSync, writeFileSync } from 'node:fs';
import { makeSecret } from '../demo/instance.ts';
import { readPassword } from '../support/read-text.ts';
import { renderReloadTrigger } from '../support/reload-trigger.ts';
import { SVC_DIALECT } from '../../src/contract/dialect.ts';
import { fail, ok, type Result } from '../../src/contract/result.ts';
import { describeFailure } from '../support/describe-failure.ts';
import { findOwnCommand } from '../support/own-command.ts';
import { makeScramVerifier } from '../support/scram-verifier.ts';
import { messageOf } from '../support/thrown.ts';
import { chooseTables } from './choose-tables.ts';
import { changeUser } from './change-user.ts';
import { findExistingSetup, listRoleNames } from './existing-tables.ts';
import {
  answerQuestions,
  type Answers,
  type Ask,
  askUri,
  askYesOrNo,
  type Dialog,
  type InitOptions,
  isOnlyShown,
  NOT_RUN,
  ONE_HOST,
  type Surroundings,
  takeDefaults,
} from './questions.ts';
import { runSetup } from './run-setup.ts';
import { setUpLive } from './set-up-live.ts';
import { renderAccess, renderConfig, renderSetup, type Setup } from './setup.ts';
import { openTerminal } from './terminal.ts';
import { renderIdempotencySetup } from '../../src/extensions/idempotency/idempotency-setup.ts';

const CHANNEL = SVC_DIALECT.channel;

/** @returns the exit code */
export async function initialize(options: InitOptions): Promise<number> {
  const dialog = options.mode === 'ask' ? openTerminal() : undefined;
  const uri = options.uri ?? process.env['DATABASE_URL'];
  const stated = { ...options, uri };
  const done = options.isIdempotency
    ? await setUpIdempotency(stated, dialog?.ask)
    : options.isLive
      ? await setUpLive(stated, dialog?.ask)
      : await initializeWith(stated, dialog);
  if (!done.ok) process.stderr.write(`${done.error}\n`);
  return done.ok ? 0 : 1;
}

async function initializeWith(options: InitOptions, dialog: Dialog | undefined): Promise<Result<undefined, string>> {
  const ask = dialog?.ask;
  const { passwordFile } = options;
  const password = passwordFile === undefined ? ok(makeSecret()) : await readPassword(passwordFile);
  if (!password.ok) return password;
  const isPrintOnly = options.mode !== 'run' && ask === undefined;
  const found = isPrintOnly ? ok(takeDefaults(options)) : await answerQuestions(options, ask, SURROUNDINGS);
  if (!found.ok) return found;
  const answers = found.value;
  const target = isPrintOnly
    ? undefined
    : resolveTarget(answers, { password: password.value, isForced: options.isForced });
  if (target?.ok === false) return target;
  const chosen = await chooseTables(options, answers, dialog);
  if (!chosen.ok) return chosen;
  const setup = { ...answers, ...chosen.value, password: password.value };
  if (answers.extended !== undefined) return extendSetup(setup, ask);
  // When the SQL is run, the password goes into the file instead of onto the screen.
  process.stdout.write(renderText(isPrintOnly ? setup : { ...setup, password: '********' }));
  if (target === undefined) {
    if (options.mode === 'ask') process.stderr.write(NOT_RUN);
    return ok(undefined);
  }
  const isAccepted = ask === undefined || (await askYesOrNo(ask, '\nRun this, and write the configuration file?'));
  return isAccepted === true ? await applySetup(setup, target.value) : fail('Nothing was done.');
}

interface SetupTarget {
  readonly adminUri: string;
  readonly loginUri: string;
  readonly file: string;
  readonly isForced: boolean;
}

function resolveTarget(
  { uri = '', loginRole, file }: Answers,
  { password, isForced }: { readonly password: string; readonly isForced: boolean },
): Result<SetupTarget, string> {
  const loginUri = changeUser(uri, loginRole, password);
  return loginUri === undefined ? fail(ONE_HOST) : ok({ adminUri: uri, loginUri, file, isForced });
}

const SURROUNDINGS: Surroundings = {
  async listRoles(uri) {
    const roles = await listRoleNames(uri);
    return roles.ok ? roles : fail(describeFailure(roles.error, SVC_DIALECT));
  },
  findSetup: findExistingSetup,
  isTaken,
};

/** Includes dangling symbolic links, because writing would follow them. */
function isTaken(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
}

function renderText(setup: Setup): string {
  return `${renderSetup(setup).join('\n')}

-- Notifies the server of schema changes. Requires a superuser; everything else works without it.
${renderReloadTrigger(CHANNEL).join('\n')}
`;
}

async function applySetup(
  setup: Setup,
  { adminUri, loginUri, file, isForced }: SetupTarget,
): Promise<Result<undefined, string>> {
  const stored = { ...setup, password: makeScramVerifier(setup.password) };
  const ran = await runSetup(adminUri, renderSetup(stored), renderReloadTrigger(CHANNEL));
  if (!ran.ok) return ran;
  const { editor } = setup;
  const { refusal } = ran.value;
  if (refusal !== undefined)
    process.stderr.write(
      `Could not create the reload trigger: ${refusal}. After each schema change, run NOTIFY ${CHANNEL}, 'reload schema'.\n`,
    );
  const text = renderConfig(setup, loginUri, makeSecret());
  const written = writeConfig({ file, isForced }, text);
  if (!written.ok) return written;
  process.stdout.write(`
Wrote the configuration, with the password and a new jwt-secret, to ${file}.
${renderNextSteps(file, editor?.role)}`);
  return ok(undefined);
}

/** Gives the roles of a setup access to more tables. */
async function extendSetup(
  setup: Setup & Pick<Answers, 'uri'>,
  ask: Ask | undefined,
): Promise<Result<undefined, string>> {
  if (setup.tables.length === 0 && setup.futureAccess === 'none')
    return fail(`${setup.anonRole} has access to every table of the schema ${setup.schema}. Nothing was done.`);
  const statements = renderAccess(setup);
  process.stdout.write(`${statements.join('\n')}\n`);
  const isAccepted = ask !== undefined && (await askYesOrNo(ask, '\nRun this?'));
  if (isAccepted !== true) return fail('Nothing was done.');
  const ran = await runSetup(setup.uri ?? '', statements, []);
  if (!ran.ok) return ran;
  process.stdout.write(
    `\nGranted. A running server reads its schema again after NOTIFY ${CHANNEL}, 'reload schema'.\n`,
  );
  return ok(undefined);
}

function renderNextSteps(file: string, editor: string | undefined): string {
  const steps = [
    [`doctor ${file}`, 'checks it'],
    [`dev ${file}`, 'opens your data in a browser, as each role sees it'],
    ...(editor === undefined
      ? []
      : [[`token --role ${editor} ${file}`, 'prints a token for changes, valid for an hour']]),
    [file, 'starts the server'],
  ] as const;
  const width = Math.max(...steps.map(([words]) => words.length));
  const command = findOwnCommand();
  return steps.map(([words, purpose]) => `  ${command} ${words.padEnd(width)}   ${purpose}\n`).join('');
}

/** Readable by the owner only. The error contains the text, because the password is stored nowhere else. */
function writeConfig(
  { file, isForced }: Pick<SetupTarget, 'file' | 'isForced'>,
  text: string,
): Result<undefined, string> {
  try {
    const opened = openSync(file, isForced ? 'w' : 'wx', 0o600);
    try {
      // Before the secrets are written: an existing file keeps its permissions otherwise.
      fchmodSync(opened, 0o600);
      writeFileSync(opened, text);
    } finally {
      closeSync(opened);
    }
    return ok(undefined);
  } catch (error) {
    const reason = messageOf(error);
    return fail(
      `The database is set up, but writing the configuration failed: ${reason}. Save it yourself:\n\n${text}`,
    );
  }
}

// `rowhouse init --idempotency`: shows the SQL of the table that stores responses, and runs it once confirmed.

const DEFAULT_SCHEMA = 'idempotency';

/** An error is a message for the user. */
async function setUpIdempotency(
  { uri, schema = DEFAULT_SCHEMA, mode }: InitOptions,
  ask: Ask | undefined,
): Promise<Result<undefined, string>> {
  const setup = renderIdempotencySetup(schema);
  process.stdout.write(`${setup.join('\n')}\n`);
  if (isOnlyShown(mode, ask)) return ok(undefined);
  const target = await askUri(uri, ask, 'a user who can create schemas', '\n');
  if (!target.ok) return target;
  const isAccepted = ask === undefined || (await askYesOrNo(ask, '\nRun this?'));
  if (isAccepted !== true) return fail('Nothing was done.');
  const ran = await runSetup(target.value, setup, []);
  if (!ran.ok) return ran;
  process.stdout.write(
    `\nCreated. Add this to the configuration:\n  db-idempotency-schema = ${JSON.stringify(schema)}\n`,
  );
  return ok(undefined);
}
