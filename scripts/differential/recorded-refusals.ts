import { readFileSync, writeFileSync } from 'node:fs';
import { byText } from '@nodewright/apis';
import { listCauses } from './compare.ts';
import type { PlayedStep } from './play.ts';
import type { TestedKind } from './kinds.ts';
import type { Fault, Walk } from './walk-members.ts';

/** A fault that a real server refused, and its causes by reason and field. */
export type RecordedRefusal = Fault & {
  readonly kind: string;
  readonly causes: readonly string[];
};

const nameOf = ({ apiVersion, kind }: Pick<TestedKind, 'apiVersion' | 'kind'>): string => `${apiVersion} ${kind}`;

/** Metadata is that of pods, and templates are those of Deployments. */
const isToldElsewhere = ({ kind }: TestedKind, { edit: { at } }: Fault): boolean =>
  (at[0] === 'metadata' && kind !== 'Pod') ||
  ((at.includes('template') || at.includes('jobTemplate')) && kind !== 'Deployment');

/** Keeps one fault of each kind of refusal: those that both servers refuse for the same causes. */
export class RefusalRecord {
  readonly #found = new Map<string, RecordedRefusal>();

  add({ kind, faults }: Walk, played: readonly PlayedStep[]): void {
    for (const [nth, { ours, real }] of played.entries()) {
      const [fault, causes] = [faults[nth - 1], listCauses(real)];
      if (fault === undefined || causes === undefined || isToldElsewhere(kind, fault)) continue;
      if (listCauses(ours)?.join() !== causes.join()) continue;
      const key = `${nameOf(kind)} ${fault.verb} ${[...new Set(causes)].join()}`;
      if (!this.#found.has(key)) this.#found.set(key, { kind: nameOf(kind), ...fault, causes });
    }
  }

  /** Writes a line for each of them. */
  write(file: string): void {
    const lines = [...this.#found.values()].map((refusal) => JSON.stringify(refusal)).toSorted(byText);
    writeFileSync(file, `[\n${lines.join(',\n')}\n]\n`);
  }
}

/** The recorded refusals of each kind. */
export function readRefusals(file: string): ReadonlyMap<string, readonly RecordedRefusal[]> {
  const byKind = new Map<string, RecordedRefusal[]>();
  for (const refusal of JSON.parse(readFileSync(file, 'utf8')) as readonly RecordedRefusal[])
    byKind.set(refusal.kind, [...(byKind.get(refusal.kind) ?? []), refusal]);
  return byKind;
}

export const recordedName = nameOf;
