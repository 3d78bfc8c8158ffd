import { InputError } from '../../../terminal/exit-status.ts';
import type { TestFlags } from '../flags.ts';

/** Which controller works in the cluster of a play that runs over ports. */
export type OutsideController =
  /** That of this package, as a process that follows the clock of the cluster: time passes as fast as both can. */
  | { readonly kind: 'own' }
  /** Any, with a clock of its own: the clock of the cluster is that of this computer, times `speed`. */
  | { readonly kind: 'foreign'; readonly command?: string; readonly speed: number };

type OutsideFlags = Pick<TestFlags, 'wire' | 'controller' | 'speed' | 'keep' | 'open'>;

/** @throws InputError for flags that exclude each other */
export function readOutsideController(flags: OutsideFlags): OutsideController | undefined {
  const { wire, controller, speed, keep, open } = flags;
  if (wire && controller !== undefined) throw new InputError('--wire and --controller exclude each other');
  if (speed !== undefined && controller === undefined) throw new InputError('--speed goes with --controller');
  if (!wire && controller === undefined) return undefined;
  if (keep !== undefined || open !== undefined)
    throw new InputError('--keep and --open play a second time in the same way, which nothing over ports does');
  if (controller === undefined) return { kind: 'own' };
  return { kind: 'foreign', speed: speed ?? 1, ...(controller !== 'external' && { command: controller }) };
}

/** Gates in the environment of the controller. What lint finds is told by this command, and not once more by events. */
export function exportGates(
  { kind }: OutsideController,
  gates: ReadonlyMap<string, boolean>,
): { readonly FEATURE_GATES?: string } {
  const all = [...gates, ...(kind === 'own' ? [['ManifestWarnings', false] as const] : [])];
  return all.length === 0 ? {} : { FEATURE_GATES: all.map(([gate, isOn]) => `${gate}=${isOn}`).join(',') };
}

/**
 * How many play at once: a controller that a person connects serves one cluster.
 * @throws InputError when there are more plays than such a controller can have
 */
export function limitProcesses(outside: OutsideController | undefined, plays: number, asked: number): number {
  const isPersons = outside?.kind === 'foreign' && outside.command === undefined;
  if (isPersons && plays > 1)
    throw new InputError(
      `--controller external: there are ${plays} plays, each with a cluster of its own; choose one with --filter and --seed, or give --controller COMMAND`,
    );
  return Math.min(isPersons ? 1 : asked, plays);
}
