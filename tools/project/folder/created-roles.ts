// Which roles the text of `roles.sql` creates.
import { splitScript } from '../../../src/http/console/split-script.ts';
import type { SourceFile } from './read-project.ts';

/** Group `head`: what precedes the name. */
export const CREATE_ROLE: RegExp =
  /^(?<head>create\s+(?:role|user|group)\s+)(?:"(?<quoted>(?:[^"]|"")*)"|(?<plain>[\p{L}_][\p{L}\p{N}_$]*))/iu;

/** Returns the names of the roles that the file creates. */
export function findCreatedRoles(file: SourceFile): readonly string[] {
  return splitScript(file.text).flatMap((part) =>
    part.kind === 'statement' ? (readCreatedRole(part.text) ?? []) : [],
  );
}

/** @param text a statement. Returns the name of the role that it creates. */
export function readCreatedRole(text: string): string | undefined {
  const created = CREATE_ROLE.exec(text)?.groups;
  return created?.['quoted']?.replaceAll('""', '"') ?? created?.['plain']?.toLowerCase();
}
