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

/** Keeps faults that both servers refuse for the same causes: for each cause of each kind, the shortest that shows it. */
export class RefusalRecord {
  readonly #found: RecordedRefusal[] = [];

  add({ kind, faults }: Walk, played: readonly PlayedStep[]): void {
    for (const [nth, { ours, real }] of played.entries()) {
      const [fault, causes] = [faults[nth - 1], listCauses(real)];
      if (fault === undefined || causes === undefined || isToldElsewhere(kind, fault)) continue;
      if (listCauses(ours)?.join() !== causes.join()) continue;
      this.#found.push({ kind: nameOf(kind), ...fault, causes });
    }
  }

  /** Writes a line for each of them. */
  write(file: string): void {
    const seen = new Set<string>();
    const told = this.#found.toSorted(bySize).filter(({ kind, verb, causes }) => {
      const fresh = causes
        .map((cause) => `${kind} ${verb.replace(/^update$/, 'create')} ${cause}`)
        .filter((key) => !seen.has(key));
      for (const key of fresh) seen.add(key);
      return fresh.length > 0;
    });
    const lines = told.map((refusal) => JSON.stringify(refusal)).toSorted(byText);
    writeFileSync(file, `[\n${lines.join(',\n')}\n]\n`);
  }
}

const sizeOf = ({ causes, edit }: RecordedRefusal): number => causes.length * 10_000 + JSON.stringify(edit).length;
const bySize = (a: RecordedRefusal, b: RecordedRefusal): number => sizeOf(a) - sizeOf(b);

/** The recorded refusals of each kind. */
export function readRefusals(file: string): ReadonlyMap<string, readonly RecordedRefusal[]> {
  const byKind = new Map<string, RecordedRefusal[]>();
  for (const refusal of JSON.parse(readFileSync(file, 'utf8')) as readonly RecordedRefusal[])
    byKind.set(refusal.kind, [...(byKind.get(refusal.kind) ?? []), refusal]);
  return byKind;
}

export const recordedName = nameOf;
