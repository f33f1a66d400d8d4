// The worker that watches reads for all tabs of a browser: over HTTP/1.1, browsers open six connections to a server.
import { createReadService } from './serve-reads.ts';

const serve = createReadService();

addEventListener('connect', (event) => {
  if (event instanceof MessageEvent) event.ports.forEach(serve);
});
