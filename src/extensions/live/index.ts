// Streams of events: rows that are read again when they change, and notifications on channels (`beyond.md` §3.1). With
// several workers, the primary process receives the log of the database for all of them.
import type { AppConfig } from '../../config/table/app-config.ts';
import { PRODUCT } from '../../contract/product.ts';
import type { EventSubject } from '../../plan/negotiation/negotiate.ts';
import type { Extension, Running, ServiceEnvironment } from '../../serve/extension.ts';
import { isJsonObject } from '../../util/json-object.ts';
import { answerEvents, answerList } from './answer-events.ts';
import { findLiveGaps } from './live-gaps.ts';
import { describeLiveMetrics } from './live-metrics.ts';
import { openLogStream } from './log/log-stream.ts';
import { openChannelListener } from './streams/channel-listener.ts';
import type { LogFeedOptions } from './streams/log-feed.ts';
import { type LogNews, type LogQuestion, RemoteLog, WorkerLogs } from './streams/log-relay.ts';
import { ServiceStreams } from './streams/service-streams.ts';

export const LIVE: Extension = {
  name: 'live',
  start: (environment) => (environment.servesRequests ? serveStreams(environment) : relayLog(environment)),
};

/** What streams may report. */
export function findSubjects({ extensions, livePublication }: AppConfig): ReadonlySet<EventSubject> {
  return new Set([
    ...(extensions.events ? ['channels' as const] : []),
    ...(extensions.live && livePublication !== undefined ? ['rows' as const] : []),
  ]);
}

function serveStreams(environment: ServiceEnvironment): Running {
  const { dialect, observe, query, snapshot, askPrimary } = environment;
  const connection = { ...environment.connection, product: PRODUCT };
  const remote = askPrimary && new RemoteLog((question) => void askPrimary(question));
  const streams = new ServiceStreams({
    context: (signal) => snapshot(undefined, signal),
    channels: {
      open: (listening) => openChannelListener({ ...listening, connection }),
      gapName: `${dialect.settingsPrefix}gap`,
      observe,
    },
    live: { observe, query, open: remote === undefined ? openLog(environment) : (log) => remote.open(log) },
  });
  return {
    compile({ config }) {
      const subjects = findSubjects(config);
      if (subjects.size === 0) return undefined;
      return {
        events: {
          subjects,
          answer: (prepared, work) => answerEvents(prepared, work, streams),
          answerList: (reads, work) => answerList(reads, work, streams),
        },
      };
    },
    apply() {
      streams.refresh();
      return {};
    },
    findGaps: findLiveGaps,
    metrics: () => (streams.counters === undefined ? [] : describeLiveMetrics(streams.counters)),
    waiting: () => streams.size,
    hear(news) {
      if (isNews(news)) remote?.receive(news);
    },
    end: () => streams.end(),
    close: () => streams.close(),
  };
}

function relayLog(environment: ServiceEnvironment): Running {
  const log = { open: openLog(environment), observe: environment.observe };
  const logs = new WorkerLogs(log, (worker, news) => worker.tell(LIVE.name, news));
  return {
    findGaps: findLiveGaps,
    answerWorker(question, worker) {
      if (isQuestion(question)) logs.receive(worker, question);
    },
    noticeWorkerEnd: (worker) => logs.remove(worker),
  };
}

function openLog({ config, connection }: ServiceEnvironment): LogFeedOptions['open'] {
  const { liveDbUri, livePublication = '' } = config;
  const replication = { ...connection, product: PRODUCT, connectionString: liveDbUri ?? connection.connectionString };
  return (log) => openLogStream({ ...log, connection: replication, publication: livePublication });
}

function isNews(news: unknown): news is LogNews {
  return isJsonObject(news) && 'event' in news;
}

function isQuestion(question: unknown): question is LogQuestion {
  return isJsonObject(question) && 'request' in question;
}
