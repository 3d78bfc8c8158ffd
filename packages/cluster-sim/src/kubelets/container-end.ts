import { type Container, days, hours, minutes, type Pod, readOwn, seconds } from '@nodewright/apis';
import { shellEndAnnotation, waitsForInput } from '../containers/played-command.ts';

/** How a container that does its work and stops ends, counted from its start. */
export type ContainerEnd = { readonly afterMs: number; readonly exitCode: number };

/** Work whose length the command does not tell. */
const usualWorkMs = 5000;

const unitsMs: Readonly<Record<string, number>> = { s: seconds(1), m: minutes(1), h: hours(1), d: days(1) };

/**
 * When a container of a pod that is not always restarted ends, as far as its command tells: after its `sleep`s, with the
 * number behind its last `exit`, or with 1 for `false`. `undefined` when it goes on for ever.
 */
export function containerEnd(container: Container): ContainerEnd | undefined {
  const { image = '', command = [], args = [] } = container;
  if (waitsForInput(container)) return undefined;
  const words = [...command, ...args].join(' ');
  if (words === '' && /(^|\/)pause(:|@|$)/.test(image)) return undefined;
  if (/\bsleep\s+infinity\b|\btail\s+-[fF]\b|\bwhile\s+(true|:)/.test(words)) return undefined;
  const sleeps = [...words.matchAll(/\bsleep\s+(\d+(?:\.\d+)?)([smhd]?)\b/g)];
  const slept = sleeps.reduce(
    (sum, [, amount, unit]) => sum + Number(amount) * (readOwn(unitsMs, unit || 's') ?? 1000),
    0,
  );
  const exit = [...words.matchAll(/\bexit\s+(\d+)\b/g)].at(-1)?.[1];
  const exitCode = exit === undefined ? Number(/(^|[;&|\s/])false\s*$/.test(words)) : Number(exit) & 255;
  return { afterMs: sleeps.length === 0 ? usualWorkMs : slept, exitCode };
}

/** How a pod ends by itself: when its last container does, with the containers' exit codes by name. */
export type PodEnd = { readonly afterMs: number; readonly exitCodes: ReadonlyMap<string, number> };

export function podEnd({ metadata, spec }: Pod): PodEnd | undefined {
  if ((spec.restartPolicy ?? 'Always') === 'Always') return undefined;
  const exitCodes = new Map<string, number>();
  let afterMs = 0;
  for (const container of spec.containers) {
    const end = endOfContainer({ metadata }, container);
    if (end === undefined) return undefined;
    exitCodes.set(container.name, end.exitCode);
    afterMs = Math.max(afterMs, end.afterMs);
  }
  return { afterMs, exitCodes };
}

/** How a container of a pod ends: as its command tells, or when its shell is left. */
export const endOfContainer = ({ metadata }: Pick<Pod, 'metadata'>, container: Container): ContainerEnd | undefined =>
  attachedEnd(metadata, container) ?? containerEnd(container);

/** The end of a container whose shell was left by its client. */
function attachedEnd({ annotations }: Pod['metadata'], { name }: Container): ContainerEnd | undefined {
  const exitCode = readOwn(annotations, shellEndAnnotation(name));
  return exitCode === undefined ? undefined : { afterMs: 0, exitCode: Number(exitCode) & 255 };
}

/** Whether a pod ends because a client has left the shell of one of its containers. */
export const wasShellLeft = ({ metadata, spec }: Pod): boolean =>
  metadata.annotations !== undefined &&
  spec.containers.some((container) => attachedEnd(metadata, container) !== undefined);
