// Entry point of a worker process. Only the primary process starts it and handles signals.
import { EXTENSIONS, flushExtensions } from './extensions.ts';
import { Socket } from 'node:net';
import { LineOutput } from '../service/logging/line-output.ts';
import { endStartOfYoungGeneration, limitYoungGeneration } from '../service/supervision/young-generation.ts';
import { describeCrash } from '../observe/describe-crash.ts';
import { isPrimaryMessage, type PrimaryMessage, type WorkerMessage } from '../workers/messages.ts';
import { WorkerServer } from '../workers/worker-server.ts';

const SIGNALS = process.platform === 'win32' ? [] : (['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const);

// A terminal or process manager may signal the whole process group.
for (const signal of SIGNALS) process.on(signal, () => {});
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});

limitYoungGeneration();
const output = new LineOutput(process.stdout, process.stderr);
let server: WorkerServer | undefined;
let isEnding = false;

/** @param onSent also called if the primary is gone, which `disconnect` reports */
function tell(message: WorkerMessage, onSent: () => void = () => {}): void {
  if (process.connected && process.send !== undefined) process.send(message, undefined, undefined, onSent);
  else onSent();
}

async function receive(message: PrimaryMessage, socket: Socket | undefined): Promise<void> {
  switch (message.kind) {
    case 'setUp':
      server = new WorkerServer({ setup: message.setup, output, send: tell, extensions: EXTENSIONS });
      reportCrashes(server);
      await server.start();
      endStartOfYoungGeneration();
      return tell({ kind: 'ready' });
    case 'question':
      return server?.answer(message.id, message.question);
    case 'answered':
      return server?.primary.settle(message.id, message.answer);
    case 'wait':
      return server?.service.waitUntil(message.retryAt);
    case 'news':
      return server?.service.serving.running.get(message.extension)?.hear?.(message.news);
    case 'connection':
      return server?.take(socket);
    case 'announceEnd':
      return server?.announceEnd();
    case 'end':
      return end(message.milliseconds);
  }
}

function reportCrashes({ service }: WorkerServer): void {
  const report = (error: unknown): void =>
    service.logger.observe({ kind: 'handlerCrashed', reason: describeCrash(error) });
  // An error thrown outside request handling affects one connection; the others continue.
  process.on('uncaughtException', report);
  process.on('unhandledRejection', report);
}

async function end(milliseconds: number): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  const cutOff = (await server?.end(milliseconds)) ?? 0;
  output.flush();
  await flushExtensions();
  // Abandoned connection attempts may still keep the event loop alive.
  tell({ kind: 'ended', cutOff }, () => process.exit(0));
}

process.on('message', (message: unknown, handle: unknown) => {
  if (isPrimaryMessage(message)) void receive(message, handle instanceof Socket ? handle : undefined);
});
// Without the primary, no new connections arrive; requests in flight still finish.
process.on('disconnect', () => {
  server?.primary.abandon();
  void end((server?.service.config.serverShutdownGrace ?? 0) * 1000);
});
tell({ kind: 'launched' });
