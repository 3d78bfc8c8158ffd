import { readFileSync } from 'node:fs';
import { hours, instant, type KubernetesObject, readOwn } from '@nodewright/apis';
import { stringify } from 'yaml';
import {
  decodeSnapshot,
  type ForecastReport,
  kindOfManifest,
  listFailures,
  makeForecast,
  type Snapshot,
} from '@nodewright/forecast';
import { withWorld } from '../../reading/read-world.ts';
import { readSchedulingSettings } from '../../controller/scheduling-settings.ts';
import type { CliContext } from '../../terminal/context.ts';
import { InputError, NotNowError } from '../../terminal/exit-status.ts';
import { schedulingSettingsOf } from '../../world/operator-inside.ts';
import { readChanges } from '../diff/diff.ts';
import { tellLintFindings } from '../lint/tell-findings.ts';
import { snapshotOfWorld } from '../snapshot/snapshot.ts';
import type { ForecastFlags, ForecastFormat } from './flags.ts';
import { printForecastTable } from './print-forecast.ts';
import { printForecastMarkdown } from './print-markdown.ts';
import { printForecastPage } from './print-page.ts';

export async function runForecastCommand(this: CliContext, flags: ForecastFlags): Promise<void> {
  if (flags.seeds === 0) throw new InputError('--seeds: at least one run is needed');
  const manifests = flags.file === undefined ? [] : await readChanges(this, flags.file);
  refuseUnknown(manifests);
  const snapshot =
    flags.snapshot === undefined ? await withWorld(flags, snapshotOfWorld) : readSnapshot(flags.snapshot);
  tellLintFindings(this, {
    paths: flags.file ?? [],
    now: instant(flags.at ?? Date.parse(snapshot.takenAt)),
    kubernetesVersion: snapshot.kubernetesVersion,
  });
  const scheduling = readSchedulingSettings(flags, process.env);
  const { at, release: releases = [], updateGroup: groupUpdates = [], kubernetesVersion } = flags;
  const seeds = flags.seeds ?? countRuns(snapshot);
  const question = {
    snapshot,
    change: { manifests, releases, groupUpdates, ...(kubernetesVersion === undefined ? {} : { kubernetesVersion }) },
    ...(at === undefined ? {} : { at: instant(at) }),
    forMs: flags.for ?? hours(24),
    settings: schedulingSettingsOf(scheduling),
    reservedCapacity: scheduling.reservedCapacity,
  };
  const tell = (done: number): void => {
    if (seeds > 1 && process.stderr.isTTY) this.process.stderr.write(`\r${done} of ${seeds} runs`);
    if (done === seeds && seeds > 1 && process.stderr.isTTY) this.process.stderr.write('\n');
  };
  const report = await makeForecast(question, { seeds, progress: tell }).catch(refuseInput);
  this.process.stdout.write(`${printAs(flags.output, report)}\n`);
  const failures = listFailures(flags.failOn ?? [], report);
  if (failures.length > 0) throw new NotNowError(failures.join('; '));
}

/** More runs tell more of what chance can do. A run takes as long as it has nodes to replace. */
const countRuns = ({ kubernetes }: Snapshot): number =>
  Math.max(3, Math.min(10, Math.floor(200 / (readOwn(kubernetes, 'nodes')?.length ?? 1))));

/** What the world refuses of a change is wrong input. */
function refuseInput(failure: unknown): never {
  const isRefusal =
    failure instanceof Error && ['ApiError', 'AwsError', 'ReleaseFeedError', 'ValueError'].includes(failure.name);
  if (isRefusal) throw new InputError(failure.message, { cause: failure });
  throw failure;
}

function refuseUnknown(manifests: readonly KubernetesObject[]): void {
  const unknown = manifests.filter((manifest) => kindOfManifest(manifest) === undefined);
  if (unknown.length === 0) return;
  const named = unknown.map(({ apiVersion, kind, metadata }) => `${apiVersion} ${kind} ${metadata.name}`).join(', ');
  throw new InputError(`a forecast knows nothing of ${named}`);
}

/** @throws InputError saying what the file is instead */
function readSnapshot(file: string): Snapshot {
  try {
    return decodeSnapshot(readFileSync(file));
  } catch (failure) {
    throw new InputError(`--snapshot ${file}: ${(failure as Error).message}`, { cause: failure });
  }
}

function printAs(format: ForecastFormat, report: ForecastReport): string {
  const whole = { apiVersion: 'nodewright.dev/v1alpha1', kind: 'Forecast', ...report };
  switch (format) {
    case 'json':
      return JSON.stringify(whole, null, 2);
    case 'yaml':
      return stringify(whole, { aliasDuplicateObjects: false }).trimEnd();
    case 'html':
      return printForecastPage(report);
    case 'md':
      return printForecastMarkdown(report);
    case 'table':
      return printForecastTable(report);
  }
}
