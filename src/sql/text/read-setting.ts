// Reads a setting that a statement has set, within the same statement.

export function renderSetting(name: string, source: string | undefined): string {
  return source === undefined ? `nullif(current_setting('${name}', true), '')` : renderSettingAfter(name, source);
}

/** Reads the setting after every row of the table expression has been processed. */
export function renderSettingAfter(name: string, source: string): string {
  return `(SELECT ${renderSetting(name, undefined)} FROM (SELECT count(*) FROM ${source}) AS "n")`;
}
