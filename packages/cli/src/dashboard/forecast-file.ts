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
  const { kind, takenAt, until, change, nodes, rollouts } = asForecastRecord(document);
  if (kind !== 'Forecast') throw new Error('it is no Forecast; `nodewright forecast -o json` prints one');
  return {
    takenAt: readForecastTime(takenAt, 'takenAt'),
    until: readForecastTime(until, 'until'),
    change: { manifests: readForecastList(asForecastRecord(change)['manifests'], 'change.manifests').map(String) },
    nodes: readForecastList(nodes, 'nodes').map((node, index) => parseNode(asForecastRecord(node), `nodes[${index}]`)),
    rollouts: readForecastList(rollouts, 'rollouts').map((rollout, index) =>
      parseRollout(asForecastRecord(rollout), `rollouts[${index}]`),
    ),
  };
}

type JsonRecord = Readonly<Record<string, unknown>>;

function parseNode(
  { node, nodePool, reason, begins, gone, replacedBy }: JsonRecord,
  where: string,
): ForecastDocument['nodes'][number] {
  return {
    node: readForecastText(node, `${where}.node`),
    nodePool: readForecastText(nodePool, `${where}.nodePool`),
    ...(reason === undefined ? {} : { reason: readForecastText(reason, `${where}.reason`) }),
    ...(begins === undefined ? {} : { begins: readForecastTime(begins, `${where}.begins`) }),
    ...(gone === undefined ? {} : { gone: readForecastTime(gone, `${where}.gone`) }),
    ...(replacedBy === undefined ? {} : { replacedBy: readForecastText(replacedBy, `${where}.replacedBy`) }),
  };
}

function parseRollout({ name, waves }: JsonRecord, where: string): ForecastDocument['rollouts'][number] {
  return {
    name: readForecastText(name, `${where}.name`),
    waves: readForecastList(waves, `${where}.waves`).map((each) => {
      const { name: wave, startedAt, endedAt } = asForecastRecord(each);
      return {
        name: readForecastText(wave, `${where}.waves.name`),
        ...(startedAt === undefined ? {} : { startedAt: readForecastTime(startedAt, `${where}.waves.startedAt`) }),
        ...(endedAt === undefined ? {} : { endedAt: readForecastTime(endedAt, `${where}.waves.endedAt`) }),
      };
    }),
  };
}

const asForecastRecord = (value: unknown): JsonRecord =>
  typeof value === 'object' && value !== null ? (value as JsonRecord) : {};

function readForecastList(value: unknown, where: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new Error(`${where} must be a list`);
  return value;
}

function readForecastText(value: unknown, where: string): string {
  if (typeof value !== 'string' || value === '') throw new Error(`${where} must be a text`);
  return value;
}

function readForecastTime(value: unknown, where: string): string {
  const text = readForecastText(value, where);
  if (Number.isNaN(Date.parse(text))) throw new Error(`${where} must be a time`);
  return text;
}
