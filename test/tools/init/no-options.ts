// `rowhouse init` without any options.
import type { InitOptions } from '../../../tools/init/questions.ts';

export const NO_OPTIONS: InitOptions = {
  uri: undefined,
  schema: undefined,
  anonRole: undefined,
  loginRole: undefined,
  passwordFile: undefined,
  file: undefined,
  mode: 'ask',
  isForced: false,
  isIdempotency: false,
  isLive: false,
  tables: { read: [], write: [], policy: [] },
  editorRole: undefined,
  future: { isReadable: false, isWritable: false, isEditable: false },
};
