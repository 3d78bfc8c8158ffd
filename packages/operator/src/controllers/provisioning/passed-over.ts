import { byTextOf, type NodePool } from '@nodewright/apis';
import type { PassedOver } from '@nodewright/engine';
import type { RoundSnapshot } from './observe.ts';

type Unused = Pick<RoundSnapshot, 'notReady' | 'failed' | 'unevaluated' | 'closed'>;

/** Why nothing is launched from the pools that a round passes over, by name. */
export const passedOverIn = ({ notReady, failed, unevaluated, closed }: Unused): readonly PassedOver[] =>
  [
    ...notReady.map((pool) => ({ nodePool: pool.metadata.name, why: whyNotReady(pool) })),
    ...failed.map(({ nodePool, error }) => ({
      nodePool: nodePool.metadata.name,
      why: `its instance types cannot be listed: ${error.message}`,
    })),
    ...unevaluated.map(({ metadata }) => ({ nodePool: metadata.name, why: 'its NodeOverlays are not evaluated yet' })),
    ...closed.map(({ nodePool, why }) => ({ nodePool: nodePool.metadata.name, why })),
  ].toSorted(byTextOf(({ nodePool }) => nodePool));

/** Conditions that do not decide on `Ready`. */
const beside: ReadonlySet<string> = new Set(['Ready', 'NodeRegistrationHealthy']);

/** Whether it is not known yet if the pool is ready: no condition says that it is not. */
export const isUndecidedPool = ({ status }: NodePool): boolean =>
  !(status?.conditions ?? []).some(({ type, status: is }) => !beside.has(type) && is === 'False');

/** The conditions that keep a pool from being ready, each with its reason: one clause. */
export function whyNotReady({ metadata, status }: NodePool): string {
  const conditions = status?.conditions ?? [];
  const troubles = conditions
    .filter(({ type, status: is }) => !beside.has(type) && is !== 'True')
    .toSorted(byTextOf(({ type }) => type))
    .map(({ type, status: is, reason = '', message = '' }) => {
      const why = [reason, message].filter((words) => words !== '').join(': ');
      return `${type} is ${is}${why === '' ? '' : `, ${why}`}`;
    });
  if (troubles.length > 0) return troubles.join('; ');
  const seen = conditions.find(({ type }) => type === 'Ready')?.observedGeneration;
  return seen === metadata.generation ? 'it is not ready' : 'its latest spec is not looked at yet';
}
