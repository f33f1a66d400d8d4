// Reads the requests to compare from the file or, without one, derives them from the description that the old server
// returns at its root.
import { fail, ok, type Result } from '../../src/contract/result.ts';
import { parseJsonObject } from '../../src/util/json-object.ts';
import type { CommandOf } from '../command-line/command.ts';
import { readText } from '../support/read-text.ts';
import { sendRequest } from './replies/send-request.ts';
import { withToken } from './requests/choose-requests.ts';
import { deriveRequests } from './requests/describe-requests.ts';
import { parseAccessLog, parseHar, parseRequestFile } from './requests/parse-recording.ts';
import { basePathOf, nameServer, type Recording } from './requests/recorded-request.ts';

type CompareCommand = CommandOf<'compare'>;

/** An error is a message for the user. */
export async function collectRequests(command: CompareCommand): Promise<Result<Recording, string>> {
  const { source, recordedAt } = command;
  if (source.kind === 'description') return describe(command);
  const text = await readText(source.file);
  if (!text.ok) return text;
  if (source.kind === 'log') return ok(parseAccessLog(text.value, basePathOf(recordedAt)));
  if (source.kind === 'har') return inFile(source.file, parseHar(text.value, recordedAt));
  const requests = parseRequestFile(text.value, recordedAt);
  return inFile(source.file, requests.ok ? ok({ requests: requests.value, foreign: 0 }) : requests);
}

function inFile<Value>(file: string, result: Result<Value, string>): Result<Value, string> {
  return result.ok ? result : fail(`${file}: ${result.error}`);
}

async function describe({ oldUrl, token, timeoutMs }: CompareCommand): Promise<Result<Recording, string>> {
  const root = {
    method: 'GET',
    target: '/',
    headers: [['accept', 'application/openapi+json']],
    body: undefined,
  } as const;
  const reply = await sendRequest(oldUrl, withToken(root, token), timeoutMs);
  if (reply.kind === 'failure') return fail(`${nameServer(oldUrl)} does not respond: ${reply.reason}`);
  const requests = deriveRequests(parseJsonObject(reply.body.toString('utf8')) ?? {});
  if (requests.length > 0) return ok({ requests, foreign: 0 });
  return fail(
    `${nameServer(oldUrl)} describes no tables (status ${reply.status}). Pass the requests with --requests, --har or --log`,
  );
}
