// Serves the API as a Next.js route handler: `app/api/[...path]/route.js`.
import { startService } from 'rowhouse';

// Share one service in the process, even if the module is loaded repeatedly.
globalThis.rowhouse ??= startService({
  options: { dbUri: process.env.DATABASE_URL, dbSchemas: ['api'], dbAnonRole: 'demo_anon' },
});

async function handle(request) {
  const service = await globalThis.rowhouse;
  globalThis.rowhouseApi ??= service.createFetchHandler({ basePath: '/api' });
  return globalThis.rowhouseApi(request);
}

export const dynamic = 'force-dynamic';
export {
  handle as DELETE,
  handle as GET,
  handle as HEAD,
  handle as OPTIONS,
  handle as PATCH,
  handle as POST,
  handle as PUT,
};
