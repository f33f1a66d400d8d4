// What the commands of a project say when PostgreSQL does not accept their connection.
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { runProgram } from '../support/spawned-server.ts';
import { useFolders } from './project/folder.ts';
import { listen } from '../support/listen.ts';

const folder = useFolders()({ 'schema/a.sql': 'create table a (id int);', 'migrations/0001_a.sql': 'select 1;' });

/** Asks for a password with SCRAM and rejects it, or the database `nowhere`. */
const server: Server = createServer((socket) => {
  socket.on('error', () => undefined);
  socket.once('data', (startup) => {
    if (startup.includes('nowhere')) return refuse(socket, '3D000', 'database "nowhere" does not exist');
    socket.write(authenticate(10, 'SCRAM-SHA-256\0\0'));
    socket.once('data', (initial) => {
      const [, nonce = ''] = /r=(.*)$/u.exec(initial.toString()) ?? [];
      socket.write(authenticate(11, `r=${nonce}more,s=c2FsdA==,i=4096`));
      socket.once('data', () => refuse(socket, '28P01', 'password authentication failed for user "ann"'));
    });
  });
});

function frame(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5, type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

function authenticate(step: number, text: string): Buffer {
  const kind = Buffer.alloc(4);
  kind.writeInt32BE(step);
  return frame('R', Buffer.concat([kind, Buffer.from(text)]));
}

const FATAL = 'FATAL';

function refuse(socket: Socket, code: string, message: string): void {
  socket.end(frame('E', Buffer.from(`S${FATAL}\0V${FATAL}\0C${code}\0M${message}\0\0`)));
}

let port = 0;

await listen(server);
({ port } = server.address() as AddressInfo);

afterAll(() => void server.close());

const NO_PASSWORD =
  'PostgreSQL at 127.0.0.1:PORT asks for the password of ann, and the URI contains none. Write postgres://USER:PASSWORD@HOST/DATABASE, or set PGPASSWORD.';

test.each([
  ['ann@127.0.0.1:PORT/api', NO_PASSWORD],
  [
    'ann:wr%25ong@127.0.0.1:PORT/api',
    'PostgreSQL at 127.0.0.1:PORT rejected the password of ann. Correct it in the URI, where characters such as @ : / ? # % must be percent-encoded.',
  ],
  [
    'ann:x@127.0.0.1:PORT/nowhere',
    'PostgreSQL at 127.0.0.1:PORT has no database nowhere. Create it, or correct the URI.',
  ],
  [
    'ann@127.0.0.1:1/api',
    'Cannot connect to PostgreSQL at 127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1. Check the host and the port of the URI, and whether the server runs.',
  ],
])('P50 what is wrong with a connection is one sentence with a hint: %s', async (address, text) => {
  expect(await run(['migrate', folder], address)).toEqual({ code: 2, stdout: '', text });
});

interface Said {
  readonly code: number | null;
  readonly stdout: string;
  /** The message and the hint. */
  readonly text: string;
}

async function run(words: readonly string[], address: string): Promise<Said> {
  const uri = `postgres://${address.replace('PORT', String(port))}`;
  const { code, stdout, stderr } = await runProgram([...words, uri]);
  const text = stderr.replace('\n  HINT:', '').replaceAll(`:${port}`, ':PORT').trimEnd();
  return { code, stdout, text };
}

const COMMANDS = {
  diff: [2, ['diff', folder]],
  check: [3, ['check']],
  dev: [2, ['dev', folder, '--db-uri']],
} as const;

test.each(Object.keys(COMMANDS) as (keyof typeof COMMANDS)[])('P50 `%s` says it as well', async (name) => {
  const [code, words] = COMMANDS[name];
  expect(await run(words, 'ann@127.0.0.1:PORT/api')).toEqual({ code, stdout: '', text: NO_PASSWORD });
});
