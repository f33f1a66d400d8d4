// Renders the warning about aliased embeds that were addressed by their target name (`reading.md` §12.5).
import type { LegacyName } from '../plan/levels/select-tree.ts';

export function renderLegacyWarning(names: readonly LegacyName[]): string {
  return (
    'Embedded resource was referenced by relation name even though it has an alias. ' +
    'This is deprecated and will stop working in a future release. ' +
    `Update ${renderRenames(names)} in query string filters, orders or limits.`
  );
}

export function renderRenames(names: readonly LegacyName[]): string {
  return names.map(({ target, alias }) => `\`${target}\` to \`${alias}\``).join(', ');
}
