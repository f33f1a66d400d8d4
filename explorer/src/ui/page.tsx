// The frame of a page with text: a title with actions.
import type { ComponentChildren, VNode } from 'preact';
import { type Place, renderPlace } from '../url-state/place.ts';
import { Icon, type IconName } from './icon.tsx';
import './page.css';

export interface PageHeadProps {
  /** What the page is about, above the title. */
  readonly kind: string;
  readonly title: string;
  /** Buttons and links. */
  readonly children?: ComponentChildren;
}

export function PageHead({ kind, title, children }: PageHeadProps): VNode {
  return (
    <header class="ui-page-head">
      <div class="ui-page-title">
        <p>
          <bdi>{kind}</bdi>
        </p>
        <h2>
          <bdi>{title}</bdi>
        </h2>
      </div>
      <div class="ui-page-actions">{children}</div>
    </header>
  );
}

export interface PageLinkProps {
  readonly icon: IconName;
  readonly label: string;
  readonly place: Place;
}

/** Looks like a small button. */
export function PageLink({ icon, label, place }: PageLinkProps): VNode {
  return (
    <a class="ui-button ui-button-default ui-button-small" href={renderPlace(place)}>
      <Icon name={icon} />
      {label}
    </a>
  );
}
