// UI state of the page apart from its place: drawers, dialogs, help.
import { useSignal, type Signal } from '@preact/signals';
import type { HelpTopic } from '../help/help-drawer.tsx';
import { useMedia } from '../ui/use-media.ts';

export interface PageState {
  /** Whether the sidebar is a drawer, because the window is narrow. */
  readonly isSideDrawer: boolean;
  readonly isBuilderDrawer: boolean;
  readonly isSideOpen: Signal<boolean>;
  readonly isBuilderOpen: Signal<boolean>;
  readonly isTokenOpen: Signal<boolean>;
  readonly help: Signal<HelpTopic | undefined>;
}

export function usePageState(): PageState {
  const isSideDrawer = useMedia('(max-width: 820px)');
  const isBuilderDrawer = useMedia('(max-width: 1180px)');
  return {
    isSideDrawer,
    isBuilderDrawer,
    isSideOpen: useSignal(false),
    isBuilderOpen: useSignal(!isBuilderDrawer),
    isTokenOpen: useSignal(false),
    help: useSignal<HelpTopic | undefined>(undefined),
  };
}
