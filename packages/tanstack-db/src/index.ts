// `@rowhouse/tanstack-db`: collections of TanStack DB that a server keeps current.
export {
  rowhouseCollectionOptions,
  type RowhouseConfig,
  type RowhouseUtils,
  type RowOf,
} from './collection-options.ts';
export { commitTransaction, type CommitOptions, type CommittedTransaction, offlineMutation } from './commit.ts';
export { UnsettledWriteError, WriteError } from './write-error.ts';
