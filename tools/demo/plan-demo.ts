// Starts the demo and returns the plan that serves it.
import { fail, ok, type Result } from '../../src/contract/result.ts';
import { renderEmbeddedError } from '../embedded/cluster/embedded-error.ts';
import { recordLoad } from './server-record.ts';
import { startDemo } from './start-demo.ts';
import type { ConfigLocation } from '../../src/service/configuration/read-config.ts';
import { describeDemo, stopDemo, locateDemo, recordDemoServer } from './demo.ts';
import type { ServePlan } from '../../src/server/serve-plan.ts';

/** @param command how the user invokes this program */
export async function planDemo(location: ConfigLocation, command: string): Promise<Result<ServePlan, string>> {
  const demo = await startDemo();
  if (!demo.ok) return fail(renderEmbeddedError(demo.error, command));
  return ok({
    location: locateDemo(demo.value, location),
    onListening: (server) => {
      recordDemoServer(demo.value, server, server.service.config.dbChannelEnabled);
      return describeDemo(demo.value, server, command);
    },
    onSchemaLoaded: (startedAt) => recordLoad(demo.value.dataFolder, startedAt),
    onEnded: () => stopDemo(demo.value),
  });
}
