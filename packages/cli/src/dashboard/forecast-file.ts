import { readFileSync, statSync } from 'node:fs';
import { type ForecastDocument, foreseeChanges, type ForeseenChanges } from '@nodewright/dashboard/rows';
import { InputError } from '../terminal/exit-status.ts';

/**
 * The forecast in a file. It is read again when the file has changed; a file that cannot be read leaves the last one.
 * @throws InputError when it cannot be read at first
 */
export function followForecastFile(file: string): () => ForeseenChanges {
  let changedMs = readChangeTime(file);
  let foreseen = readForecastFile(file);
  return () => {
    try {
      const nextMs = readChangeTime(file);
      if (nextMs !== changedMs) foreseen = readForecastFile(file);
      changedMs = nextMs;
    } catch {
      // Whoever writes the file may be in the middle of it.
    }
    return foreseen;
  };
}

const readChangeTime = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

function readForecastFile(file: string): ForeseenChanges {
  try {
    return foreseeChanges(parseForecast(JSON.parse(readFileSync(file, 'utf8'))));
  } catch (failure) {
    throw new InputError(`the forecast ${file}: ${(failure as Error).message}`, { cause: failure });
  }
}

/** @throws Error saying what is missing */
export function parseForecast(document: unknown): ForecastDocument {
  const { kind, takenAt, until, change, nodes, rollouts } = recordMember(document);
  if (kind !== 'Forecast') throw new Error('it is no Forecast; `nodewright forecast -o json` prints one');
  return {
    takenAt: timeOf(takenAt, 'takenAt'),
    until: timeOf(until, 'until'),
    change: { manifests: listMember(recordMember(change)['manifests'], 'change.manifests').map(String) },
    nodes: listMember(nodes, 'nodes').map((node, index) => parseNode(recordMember(node), `nodes[${index}]`)),
    rollouts: listMember(rollouts, 'rollouts').map((rollout, index) =>
      parseRollout(recordMember(rollout), `rollouts[${index}]`),
    ),
  };
}

type JsonRecord = Readonly<Record<string, unknown>>;

function parseNode(
  { node, nodePool, reason, begins, gone, replacedBy }: JsonRecord,
  where: string,
): ForecastDocument['nodes'][number] {
  return {
    node: textMember(node, `${where}.node`),
    nodePool: textMember(nodePool, `${where}.nodePool`),
    ...(reason === undefined ? {} : { reason: textMember(reason, `${where}.reason`) }),
    ...(begins === undefined ? {} : { begins: timeOf(begins, `${where}.begins`) }),
    ...(gone === undefined ? {} : { gone: timeOf(gone, `${where}.gone`) }),
    ...(replacedBy === undefined ? {} : { replacedBy: textMember(replacedBy, `${where}.replacedBy`) }),
  };
}

function parseRollout({ name, waves }: JsonRecord, where: string): ForecastDocument['rollouts'][number] {
  return {
    name: textMember(name, `${where}.name`),
    waves: listMember(waves, `${where}.waves`).map((each) => {
      const { name: wave, startedAt, endedAt } = recordMember(each);
      return {
        name: textMember(wave, `${where}.waves.name`),
        ...(startedAt === undefined ? {} : { startedAt: timeOf(startedAt, `${where}.waves.startedAt`) }),
        ...(endedAt === undefined ? {} : { endedAt: timeOf(endedAt, `${where}.waves.endedAt`) }),
      };
    }),
  };
}

const recordMember = (value: unknown): JsonRecord =>
  typeof value === 'object' && value !== null ? (value as JsonRecord) : {};

function listMember(value: unknown, where: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new Error(`${where} must be a list`);
  return value;
}

function textMember(value: unknown, where: string): string {
  if (typeof value !== 'string' || value === '') throw new Error(`${where} must be a text`);
  return value;
}

function timeOf(value: unknown, where: string): string {
  const text = textMember(value, where);
  if (Number.isNaN(Date.parse(text))) throw new Error(`${where} must be a time`);
  return text;
}
