// Shows the role, validity and claims of a token.
import type { VNode } from 'preact';
import { nowSeconds } from '../ui/clock.ts';
import { formatLocalTime } from '../ui/local-time.ts';
import { Badge, Name } from '../ui/text.tsx';
import { describeDuration, validityOf, type Claims } from './decode-token.ts';

export function TokenClaims({ header, claims }: { readonly header: Claims; readonly claims: Claims }): VNode {
  return (
    <dl class="token-claims">
      <dt>valid</dt>
      <dd>
        <TokenValidity claims={claims} />
      </dd>
      {Object.entries(claims).map(([name, value]) => (
        <>
          <dt key={`${name}:`}>
            <Name text={name} isMono />
          </dt>
          <dd key={name}>
            <bdi class="token-value">{describeClaim(name, value)}</bdi>
          </dd>
        </>
      ))}
      <dt>signed with</dt>
      <dd>
        <bdi class="token-value">{textOfClaim(header['alg'])}</bdi>
      </dd>
    </dl>
  );
}

export function TokenValidity({ claims }: { readonly claims: Claims }): VNode {
  const validity = validityOf(claims, nowSeconds.value);
  if (validity.kind === 'unlimited') return <Badge>no expiry</Badge>;
  const duration = describeDuration(validity.seconds);
  if (validity.kind === 'early') return <Badge tone="warning">starts in {duration}</Badge>;
  if (validity.kind === 'expired') return <Badge tone="danger">expired {duration} ago</Badge>;
  return <Badge tone={validity.seconds < 300 ? 'warning' : 'success'}>{duration} left</Badge>;
}

function describeClaim(name: string, value: unknown): string {
  const isTime = ['exp', 'iat', 'nbf'].includes(name) && typeof value === 'number' && Math.abs(value) < 8.64e12;
  return isTime ? `${value} · ${formatLocalTime(value * 1000)}` : textOfClaim(value);
}

export function textOfClaim(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
