// Menu to choose the light, dark or system theme.
import type { VNode } from 'preact';
import { Menu } from './menu.tsx';
import { setTheme, theme, type Theme } from './theme.ts';
import type { IconName } from './icon.tsx';

const THEMES: readonly { readonly id: Theme; readonly label: string; readonly icon: IconName }[] = [
  { id: 'system', label: 'System', icon: 'computer' },
  { id: 'light', label: 'Light', icon: 'sun' },
  { id: 'dark', label: 'Dark', icon: 'moon' },
];

export function ThemeMenu(): VNode {
  const icon = THEMES.find(({ id }) => id === theme.value)?.icon;
  return (
    <Menu
      label="Theme"
      icon={icon}
      isIconOnly
      items={THEMES.map(({ id, label, icon }) => ({
        label,
        icon,
        isChecked: id === theme.value,
        onSelect: () => setTheme(id),
      }))}
    />
  );
}
