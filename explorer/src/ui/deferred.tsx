// A component that loads on first use, for large parts that most visits do not need.
import { useEffect, useState } from 'preact/hooks';
import type { ComponentType, VNode } from 'preact';
import { Notice } from './notice.tsx';
import { Spinner } from './text.tsx';

export interface DeferredProps<Props> {
  readonly load: () => Promise<ComponentType<Props>>;
  readonly props: Props & object;
  /** Shown meanwhile, by default a spinner. */
  readonly waiting?: VNode | null;
}

/** What became of the last `load`; `component` is undefined if it failed. */
interface Loaded<Props> {
  readonly load: DeferredProps<Props>['load'];
  readonly component: ComponentType<Props> | undefined;
}

export function Deferred<Props>({ load, props, waiting = <Spinner /> }: DeferredProps<Props>): VNode | null {
  const [loaded, setLoaded] = useState<Loaded<Props> | undefined>(undefined);
  useEffect(() => {
    let isCurrent = true;
    const show = (component?: ComponentType<Props>): void => {
      if (isCurrent) setLoaded({ load, component });
    };
    load().then(show, () => show());
    return () => {
      isCurrent = false;
    };
  }, [load]);
  // The component of another `load` must not get these properties.
  if (loaded?.load !== load) return waiting;
  if (loaded.component !== undefined) return <loaded.component {...props} />;
  return <Notice tone="danger" title="Part of the page could not be loaded." hint="Reload the page." />;
}
