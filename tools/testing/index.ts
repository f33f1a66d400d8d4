// The package export `rowhouse/testing`.
export { expectAccess } from './expect-access.ts';
export { openProject } from './open-project.ts';
export type {
  AccessMatrix,
  As,
  ExpectedAccess,
  ExpectedRows,
  RequestOptions,
  TestClient,
  TestIdentity,
  TestProject,
  TestResponse,
  TestSession,
} from './contract/types.ts';
