// One connection to a server that replays recorded bytes: split, interrupted, closed and disturbed at every position.
import { EventEmitter } from 'node:events';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import type { ScriptReply } from '../../../src/postgres/session/script-reply.ts';
import { runAlone } from '../support/run-alone.ts';
import type { Session } from '../../../src/postgres/session/session.ts';
import {
  openScriptedSession,
  startScriptedServer,
  type Answer,
  type ScriptedServer,
} from '../support/scripted-server.ts';
import {
  BOUND,
  complete,
  error,
  message,
  notice,
  notification,
  parameterStatus,
  PARSED,
  ready,
  row,
} from '../support/server-messages.ts';
import { oneRow } from '../support/outcome.ts';
import { mainStatement, readScript, writeScript } from '../support/scripts.ts';

const SCRIPT = readScript(mainStatement('$1', ['x']));
const ROW = row('1', null, null, null, '[{"id":1}]');
const ANSWER = [
  PARSED,
  BOUND,
  row('"public"', 'GET', 'on'),
  complete('SELECT 1'),
  PARSED,
  BOUND,
  ROW,
  complete('SELECT 1'),
];
const EXPECTED = oneRow(Buffer.from('[{"id":1}]'));

const servers: ScriptedServer[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

describe('the answer to one read script', () => {
  const bytes = Buffer.concat([...ANSWER, ready('I')]);

  test('is the same if it arrives in two pieces, wherever it is split', async () => {
    const { session } = await play(
      Array.from({ length: bytes.length }, (_, cut): Answer => async (socket) => {
        socket.write(bytes.subarray(0, cut));
        await setImmediate();
        socket.write(bytes.subarray(cut));
      }),
      false,
    );
    for (let cut = 0; cut < bytes.length; cut += 1) {
      expect(await runAlone(session, SCRIPT), `cut at ${cut}`).toStrictEqual(EXPECTED);
    }
  });

  test('is a lost connection if the socket closes at any byte before the last', async () => {
    for (let cut = 0; cut < bytes.length; cut += 1) {
      const { session } = await play([(socket) => socket.end(bytes.subarray(0, cut))]);
      expect(await runAlone(session, SCRIPT), `closed at ${cut}`).toStrictEqual({
        ok: false,
        error: { kind: 'connectionLost', details: 'the database server closed the connection' },
      });
      expect(session.isUsable).toBe(false);
    }
  });

  test('is complete if the socket closes right after it', async () => {
    const { session } = await play([(socket) => socket.end(bytes)]);
    expect(await runAlone(session, SCRIPT)).toStrictEqual(EXPECTED);
  });

  test('is not returned before ReadyForQuery', async () => {
    const parts = new EventEmitter();
    const { session } = await play([
      (socket) => {
        socket.write(Buffer.concat(ANSWER));
        parts.once('finish', () => socket.write(ready('I')));
      },
    ]);
    let reply: ScriptReply | undefined;
    const running = runAlone(session, SCRIPT).then((value) => (reply = value));
    await sleep(50);
    expect(reply).toBe(undefined);
    parts.emit('finish');
    expect(await running).toStrictEqual(EXPECTED);
  });

  test('is an error if the commit at the Sync fails', async () => {
    const { session } = await play([
      Buffer.concat([...ANSWER, error({ V: 'ERROR', C: '23505', M: 'duplicate', D: 'twice', H: 'once' }), ready('I')]),
    ]);
    expect(await runAlone(session, SCRIPT)).toStrictEqual({
      ok: false,
      error: {
        kind: 'database',
        report: { sqlstate: '23505', message: 'duplicate', detail: 'twice', hint: 'once', constraint: undefined },
      },
    });
    expect(session.isUsable).toBe(true);
  });
});

describe('asynchronous messages', () => {
  const disturbances = [
    notice({ S: 'WARNING', V: 'WARNING', C: '01000', M: 'mind the gap' }),
    parameterStatus('application_name', 'other'),
    notification('svc', 'reload schema'),
  ];

  test('between answers, notices, parameter changes and notifications have no effect', async () => {
    const positions = ANSWER.length + 1;
    const messages = [...ANSWER, ready('I')];
    const { session } = await play(
      Array.from({ length: positions }, (_, position) =>
        Buffer.concat(messages.toSpliced(position, 0, ...disturbances)),
      ),
      false,
    );
    session.onNotification = () => undefined;
    for (let position = 0; position < positions; position += 1) {
      expect(await runAlone(session, SCRIPT), `before message ${position}`).toStrictEqual(EXPECTED);
    }
    expect(session.isUsable).toBe(true);
  });

  test('may arrive on an idle session', async () => {
    const { session } = await play([Buffer.concat([...ANSWER, ready('I'), ...disturbances])]);
    const payloads: string[] = [];
    session.onNotification = (payload) => payloads.push(payload);
    await runAlone(session, SCRIPT);
    await sleep(20);
    expect(payloads).toStrictEqual(['reload schema']);
    expect(session.isUsable).toBe(true);
  });

  test.each([
    ['that changes the client encoding', parameterStatus('client_encoding', 'LATIN1')],
    ['that changes the user', parameterStatus('session_authorization', 'someone')],
    ['that is listening', notification('news', 'x')],
  ])('a session %s answers, but is not reused', async (_, message) => {
    const { session } = await play([Buffer.concat([...ANSWER, message, ready('I')])]);
    expect(await runAlone(session, SCRIPT)).toStrictEqual(EXPECTED);
    expect(session.isUsable).toBe(false);
  });
});

describe('errors', () => {
  test('in the middle of the script: the first error is the reply', async () => {
    const { session, server } = await play([
      Buffer.concat([...ANSWER.slice(0, 5), error({ V: 'ERROR', C: '22P02', M: 'no number' }), ready('I')]),
      Buffer.concat([...ANSWER.slice(1), ready('I')]),
    ]);
    expect(await runAlone(session, SCRIPT)).toStrictEqual({
      ok: false,
      error: {
        kind: 'database',
        report: { sqlstate: '22P02', message: 'no number', detail: undefined, hint: undefined, constraint: undefined },
      },
    });
    expect(await runAlone(session, SCRIPT)).toStrictEqual(EXPECTED);
    // The settings and the main statement are prepared: ParseComplete arrived before the error.
    expect(server.received()).toBe('PBEPBESBEBES');
  });

  test('a statement whose Parse failed is parsed again', async () => {
    const { session, server } = await play([
      Buffer.concat([...ANSWER.slice(0, 4), error({ V: 'ERROR', C: '42P01', M: 'no such table' }), ready('I')]),
      Buffer.concat([...ANSWER.slice(1), ready('I')]),
    ]);
    expect(await runAlone(session, SCRIPT)).toMatchObject({ ok: false, error: { report: { sqlstate: '42P01' } } });
    expect(await runAlone(session, SCRIPT)).toStrictEqual(EXPECTED);
    expect(server.received()).toBe('PBEPBESBEPBES');
  });

  test('a FATAL error is the reply and ends the session', async () => {
    const { session } = await play([
      Buffer.concat([...ANSWER.slice(0, 3), error({ V: 'FATAL', C: '57P01', M: 'terminating connection' })]),
    ]);
    expect(await runAlone(session, SCRIPT)).toMatchObject({
      ok: false,
      error: { kind: 'database', report: { sqlstate: '57P01', message: 'terminating connection' } },
    });
    expect(session.loss).toBe('terminating connection');
  });

  test('an unsolicited error ends the session', async () => {
    const { session } = await play([
      Buffer.concat([...ANSWER, ready('I'), error({ V: 'FATAL', C: '57P05', M: 'idle-session timeout' })]),
    ]);
    const lost = lossOf(session);
    expect(await runAlone(session, SCRIPT)).toStrictEqual(EXPECTED);
    await lost;
    expect(session.loss).toBe('idle-session timeout');
    expect(await runAlone(session, SCRIPT)).toStrictEqual({
      ok: false,
      error: { kind: 'connectionLost', details: 'idle-session timeout' },
    });
  });

  test.each([
    ['an unknown message', message('y'), /type 0x79, length 4"/],
    ['a malformed row', message('D', Buffer.from([0, 9])), /malformed row"/],
    ['an answer too many', Buffer.concat([...ANSWER.slice(4), complete('SELECT 1')]), /unexpected response"/],
  ])('%s ends the session', async (_, bytes, details) => {
    const { session } = await play([Buffer.concat([...ANSWER.slice(0, 6), bytes])]);
    const reply = await runAlone(session, SCRIPT);
    expect(reply).toMatchObject({ ok: false, error: { kind: 'connectionLost' } });
    expect(JSON.stringify(reply)).toMatch(details);
    expect(session.isUsable).toBe(false);
  });

  test('an unexpected answer ends the session', async () => {
    const { session } = await play([Buffer.concat([...ANSWER, ready('I'), ready('I')])]);
    const lost = lossOf(session);
    expect(await runAlone(session, SCRIPT)).toStrictEqual(EXPECTED);
    await lost;
    expect(session.loss).toBe('the database server sent an unexpected message');
  });

  test.each([
    ['no row', [], 'expected one row, got 0'],
    ['two rows', [ROW, ROW], 'expected one row, got 2'],
    ['too few columns', [row('1', '[]')], 'expected 5 to 7 columns, got 2'],
    ['no row count', [row(null, null, null, null, '[]')], 'expected whole numbers as counts'],
    ['a fraction as total', [row('1', '0.5', null, null, '[]')], 'expected whole numbers as counts'],
  ])('a main statement with %s is undecodable', async (_, rows, details) => {
    const { session } = await play([Buffer.concat([...ANSWER.slice(0, 6), ...rows, complete('SELECT'), ready('I')])]);
    expect(await runAlone(session, SCRIPT)).toStrictEqual({
      ok: false,
      error: { kind: 'undecodableResult', details },
    });
  });
});

describe('pipelined scripts', () => {
  /** Sends both scripts before the first is answered. */
  function runBoth(session: Session): Promise<readonly ScriptReply[]> {
    return Promise.all([runAlone(session, SCRIPT), runAlone(session, SCRIPT)]);
  }

  test('get their answers in order, and the second uses the statements that the first prepares', async () => {
    const { session, server } = await play([
      Buffer.concat([...ANSWER, ready('I')]),
      Buffer.concat([...ANSWER.filter((bytes) => bytes !== PARSED), ready('I')]),
    ]);
    expect(await runBoth(session)).toStrictEqual([EXPECTED, EXPECTED]);
    expect(server.received()).toBe('PBEPBESBEBES');
  });

  test('are lost with their session if the first leaves a transaction open', async () => {
    const failed = [...ANSWER.slice(0, 4), error({ V: 'ERROR', C: '40001', M: 'no' }), ready('E')];
    const { session } = await play([Buffer.concat(failed)]);
    const [first, second] = await runBoth(session);
    expect(first).toMatchObject({ ok: false, error: { report: { sqlstate: '40001' } } });
    expect(second).toMatchObject({ ok: false, error: { kind: 'connectionLost' } });
    expect(session.loss).toBe('a script left its transaction open');
  });

  test('report a FATAL error to the first script and a lost connection to all others', async () => {
    const { session } = await play([error({ V: 'FATAL', C: '57P01', M: 'terminating connection' })]);
    const [first, second] = await runBoth(session);
    expect(first).toMatchObject({ ok: false, error: { report: { sqlstate: '57P01' } } });
    expect(second).toStrictEqual({
      ok: false,
      error: { kind: 'connectionLost', details: 'terminating connection' },
    });
  });
});

describe('COPY', () => {
  test.each([
    ['CopyInResponse', 'G'],
    ['CopyBothResponse', 'W'],
  ])('%s is rejected, so that the server continues', async (_, type) => {
    const { session, server } = await play([
      Buffer.concat([...ANSWER.slice(0, 6), message(type, Buffer.from([0, 0, 0]))]),
      Buffer.concat([error({ V: 'ERROR', C: '57014', M: 'COPY failed' }), ready('I')]),
    ]);
    expect(await runAlone(session, SCRIPT)).toMatchObject({ ok: false, error: { report: { sqlstate: '57014' } } });
    expect(server.received()).toBe('PBEPBESfS');
    expect(session.isUsable).toBe(false);
  });

  test('data copied out is ignored', async () => {
    const copied = [message('H', Buffer.from([0, 0, 0])), message('d', Buffer.from('1\n')), message('c')];
    const { session } = await play([Buffer.concat([...ANSWER.slice(0, 6), ...copied, complete('COPY 1'), ready('I')])]);
    expect(await runAlone(session, SCRIPT)).toMatchObject({ ok: false, error: { kind: 'undecodableResult' } });
    expect(session.isUsable).toBe(true);
  });
});

describe('the end of an explicit transaction', () => {
  const WRITE = { ...SCRIPT, isolation: 'serializable' } as const;
  const BEGUN = [PARSED, BOUND, complete('BEGIN')];

  test('COMMIT that is answered with ROLLBACK is an error', async () => {
    const { session } = await play([
      Buffer.concat([...BEGUN, ...ANSWER, PARSED, BOUND, complete('ROLLBACK'), ready('I')]),
    ]);
    expect(await runAlone(session, WRITE)).toMatchObject({ ok: false, error: { report: { sqlstate: '40000' } } });
  });

  test('a failed transaction is rolled back before the session is reused', async () => {
    const { session, server } = await play([
      Buffer.concat([...BEGUN, error({ V: 'ERROR', C: '40001', M: 'no' }), ready('E')]),
      Buffer.concat([PARSED, BOUND, complete('ROLLBACK'), ready('I')]),
    ]);
    expect(await runAlone(session, WRITE)).toMatchObject({ ok: false, error: { report: { sqlstate: '40001' } } });
    expect(server.received()).toBe('PBEPBEPBEPBESPBES');
    expect(session.isUsable).toBe(true);
  });

  test('a session that remains in a transaction is not reused', async () => {
    const { session } = await play([
      Buffer.concat([...BEGUN, error({ V: 'ERROR', C: '40001', M: 'no' }), ready('E')]),
      Buffer.concat([error({ V: 'ERROR', C: 'XX000', M: 'cannot' }), ready('E')]),
    ]);
    expect(await runAlone(session, WRITE)).toMatchObject({ ok: false, error: { report: { sqlstate: '40001' } } });
    expect(session.isUsable).toBe(false);
  });
});

describe('the connection fault of an error', () => {
  const TAKEN = { V: 'ERROR', C: '42P05', M: 'prepared statement "s1" already exists' };
  const POOLED = { C: '08P01', M: 'transaction blocks not allowed in statement pooling mode' };
  const SHUTDOWN = { C: '57P01', M: 'terminating connection due to administrator command' };
  const settled = ANSWER.slice(0, 4);
  const CHECKED = readScript(mainStatement('$1', ['x']), { verify: () => undefined });
  const BEGUN = [PARSED, BOUND, complete('BEGIN')];

  test.each([
    ['is statementExists if the statement name is taken', SCRIPT, [...settled, error(TAKEN)], 'statementExists'],
    ['is undefined if a function raised that SQLSTATE', SCRIPT, [...settled, PARSED, BOUND, error(TAKEN)], undefined],
    [
      'is statementPooling if a pooler ended the session',
      SCRIPT,
      [...settled, error({ V: 'FATAL', ...POOLED })],
      'statementPooling',
    ],
    ['is statementPooling if a pooler rejects BEGIN', CHECKED, [error({ V: 'ERROR', ...POOLED })], 'statementPooling'],
    [
      'is statementPooling if a pooler rejects open transactions',
      CHECKED,
      [...BEGUN, ...ANSWER, error({ V: 'ERROR', ...POOLED })],
      'statementPooling',
    ],
    [
      'is undefined if a function raised the message of a pooler',
      SCRIPT,
      [...settled, error({ V: 'ERROR', ...POOLED })],
    ],
    ['is ended if the server ended the session', SCRIPT, [...settled, error({ V: 'FATAL', ...SHUTDOWN })], 'ended'],
    [
      'is undefined if a function raised the message of the server',
      SCRIPT,
      [...settled, error({ V: 'ERROR', ...SHUTDOWN })],
    ],
    ['is undefined if the disk is full', SCRIPT, [...settled, error({ V: 'ERROR', C: '53100', M: 'disk full' })]],
  ])('%s', async (_, script, messages, fault?: string) => {
    const rolledBack = Buffer.concat([PARSED, BOUND, complete('ROLLBACK'), ready('I')]);
    const { session } = await play([Buffer.concat([...messages, ready(script === CHECKED ? 'E' : 'I')]), rolledBack]);
    const reply = await runAlone(session, script);
    expect(reply.ok ? reply : { ...reply.error }).toMatchObject({ kind: 'database', report: {} });
    expect(!reply.ok && reply.error.kind === 'database' ? reply.error.connectionFault : reply).toBe(fault);
  });
});

describe('a write whose connection is lost', () => {
  const WRITE = writeScript(mainStatement('$1', ['x']));
  const COMMITTED = { ...WRITE, isolation: 'serializable' } as const;
  const CHECKED = writeScript(mainStatement('$1', ['x']), { verify: () => undefined });
  const BEGUN = [PARSED, BOUND, complete('BEGIN')];
  const COMMIT = [PARSED, BOUND, complete('COMMIT')];
  const close: Answer = (socket) => void socket.end();
  const closeAfter =
    (...messages: readonly Buffer[]): Answer =>
    (socket) =>
      void socket.end(Buffer.concat(messages));

  test.each([
    ['after its batch was sent may have been committed', WRITE, [closeAfter(...ANSWER)], 'commitStatusUnknown'],
    ['before verification was not committed', CHECKED, [closeAfter(...BEGUN, ...ANSWER)], 'connectionLost'],
    [
      'after COMMIT was sent may have been committed',
      CHECKED,
      [Buffer.concat([...BEGUN, ...ANSWER, ready('T')]), close],
      'commitStatusUnknown',
    ],
    [
      'after an error in the write was not committed',
      WRITE,
      [closeAfter(...ANSWER.slice(0, 6), error({ V: 'ERROR', C: '23505', M: 'twice' }))],
      'database',
    ],
    [
      'by a shutdown during its statements was not committed',
      WRITE,
      [closeAfter(...ANSWER.slice(0, 6), error({ V: 'FATAL', C: '57P01', M: 'terminating' }))],
      'database',
    ],
    [
      'between a pooler and the server may have been committed',
      WRITE,
      [closeAfter(...ANSWER.slice(0, 6), error({ V: 'FATAL', C: '08P01', M: 'server conn crashed?' }))],
      'commitStatusUnknown',
    ],
    [
      'by a crash of the server may have been committed',
      WRITE,
      [closeAfter(...ANSWER, error({ V: 'PANIC', C: '53100', M: 'could not write' }))],
      'commitStatusUnknown',
    ],
    [
      'and that is rolled back anyway was not committed',
      { ...WRITE, end: 'rollback' } as const,
      [close],
      'connectionLost',
    ],
    ['and that is a read was not committed', SCRIPT, [closeAfter(...ANSWER)], 'connectionLost'],
  ])('%s', async (_, script, answers, kind) => {
    const { session } = await play(answers);
    expect(await runAlone(session, script)).toMatchObject({ ok: false, error: { kind } });
  });

  test('before it was sent was not committed', async () => {
    const { session } = await play([]);
    session.destroy('gone');
    expect(await runAlone(session, WRITE)).toMatchObject({ ok: false, error: { kind: 'connectionLost' } });
  });

  test.each([
    ['closed', []],
    ['ended by the server', [error({ V: 'FATAL', C: '57P01', M: 'terminating' })]],
  ])('is committed once COMMIT is answered, although the connection is then %s', async (_, messages) => {
    const { session } = await play([closeAfter(...BEGUN, ...ANSWER, ...COMMIT, ...messages)]);
    expect(await runAlone(session, COMMITTED)).toStrictEqual(EXPECTED);
    expect(session.isUsable).toBe(false);
  });
});

async function play(
  answers: readonly Answer[],
  isPreparing = true,
): Promise<{ session: Session; server: ScriptedServer }> {
  const server = await startScriptedServer(answers);
  servers.push(server);
  return { server, session: await openScriptedSession(server, isPreparing) };
}

function lossOf(session: Session): Promise<unknown> {
  return new Promise((resolve) => (session.onLoss = resolve));
}
