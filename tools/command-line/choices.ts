// Names that both the help of a command and its tool know.

export const INIT_DEFAULTS = {
  schema: 'api',
  anonRole: 'web_anon',
  loginRole: 'authenticator',
  editorRole: 'web_editor',
  file: 'rowhouse.conf',
} as const;

/** In place of names: every table that nobody can access. */
export const ALL = 'all';

export const TEMPLATE_NAMES = ['todo', 'shop', 'chat', 'tenants', 'tasks-live'] as const;

export type TemplateName = (typeof TEMPLATE_NAMES)[number];

/** How `check` reports. */
export const CHECK_FORMATS = ['text', 'json', 'github'] as const;

export type CheckFormat = (typeof CHECK_FORMATS)[number];

export const SHELLS = ['bash', 'zsh', 'fish'] as const;

export type Shell = (typeof SHELLS)[number];
