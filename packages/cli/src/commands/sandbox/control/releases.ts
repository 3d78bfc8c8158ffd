import type { CliContext } from '../../../terminal/context.ts';
import { InputError } from '../../../terminal/exit-status.ts';
import { type OutputFormat, writeAnswer } from '../../../terminal/output.ts';
import { printTable } from '../../../terminal/table.ts';
import { askSandbox } from './ask-sandbox.ts';

/** Which releases; what is left out matches everything. */
export type ReleaseFields = {
  readonly family?: string;
  readonly variant?: string;
  readonly arch?: string;
  readonly kubernetesVersion?: string;
  readonly version?: string;
  readonly imageId?: string;
};

export type ReleaseFlags = ReleaseFields & { readonly output?: OutputFormat };
export type ListFlags = ReleaseFlags & { readonly upcoming: boolean };
export type PublishFlags = ReleaseFlags & Timing & { readonly behavior?: string };
export type WithdrawFlags = ReleaseFlags & { readonly keepImage: boolean };

type Timing = { readonly publishedAt?: string; readonly createdAt?: string; readonly promotedAt?: string };

type PrintedRelease = {
  readonly family: string;
  readonly variant: string;
  readonly arch: string;
  readonly kubernetesVersion: string;
  readonly version: string;
  readonly imageId: string;
  readonly publishedAt: string;
  readonly deprecatedAt?: string;
  readonly withdrawnAt?: string;
  readonly recalledAt?: string;
  readonly behavior?: string;
};
type ReleaseList = { readonly kind: 'ReleaseList'; readonly items: readonly PrintedRelease[] };

export async function listReleases(this: CliContext, { output, upcoming, ...which }: ListFlags): Promise<void> {
  const query = new URLSearchParams({ kubernetesVersion: 'current', ...fieldsOfRelease(which) });
  const list = await askSandbox<ReleaseList>({ method: 'GET', path: `/releases?${query.toString()}` });
  const { now } = await askSandbox<{ now: string }>({ method: 'GET', path: '/clock' });
  const items = list.items.filter(({ publishedAt }) => upcoming || Date.parse(publishedAt) <= Date.parse(now));
  answerWithReleases(this, { ...list, items }, { output, now });
}

export async function publishRelease(this: CliContext, flags: PublishFlags): Promise<void> {
  const { output, behavior, publishedAt, createdAt, promotedAt, ...which } = flags;
  refuseUnnamedRelease(which);
  const timing = { publishedAt, createdAt, promotedAt };
  await post(this, { action: 'publish', ...fieldsOfRelease(which), behavior, ...timing }, output);
}

/** @throws InputError for a release without a family or a version */
function refuseUnnamedRelease({ family, version }: ReleaseFields): void {
  const missing = [...(family === undefined ? ['--family'] : []), ...(version === undefined ? ['--version'] : [])];
  if (missing.length > 0) throw new InputError(`${missing.join(' and ')}: needed to publish a release`);
}

export async function withdrawRelease(this: CliContext, { output, keepImage, ...which }: WithdrawFlags): Promise<void> {
  await post(this, { action: 'withdraw', keepImage, ...fieldsOfRelease(which) }, output);
}

export async function deprecateRelease(this: CliContext, { output, ...which }: ReleaseFlags): Promise<void> {
  await post(this, { action: 'deprecate', ...fieldsOfRelease(which) }, output);
}

async function post(context: CliContext, body: object, output: OutputFormat | undefined): Promise<void> {
  const list = await askSandbox<ReleaseList>({ method: 'POST', path: '/releases', body });
  const { now } = await askSandbox<{ now: string }>({ method: 'GET', path: '/clock' });
  answerWithReleases(context, list, { output, now });
}

const fieldsOfRelease = (fields: ReleaseFields): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined));

type View = { readonly output: OutputFormat | undefined; readonly now: string };

function answerWithReleases(context: CliContext, list: ReleaseList, { output, now }: View): void {
  const rows = list.items.map((release) => [
    release.family,
    release.version,
    release.variant,
    release.arch,
    release.kubernetesVersion,
    release.imageId,
    release.publishedAt,
    stateOfRelease(release, now),
  ]);
  const header = ['FAMILY', 'VERSION', 'VARIANT', 'ARCH', 'K8S', 'IMAGE', 'PUBLISHED', 'STATE'];
  writeAnswer(context, output, { object: list, text: printTable(header, rows) });
}

function stateOfRelease(release: PrintedRelease, now: string): string {
  const { behavior = 'healthy' } = release;
  const state = publicationOf(release, now);
  return behavior === 'healthy' ? state : `${state} (${behavior})`;
}

function publicationOf({ publishedAt, withdrawnAt, recalledAt, deprecatedAt }: PrintedRelease, now: string): string {
  const isPast = (time: string | undefined): boolean => time !== undefined && Date.parse(time) <= Date.parse(now);
  if (isPast(withdrawnAt)) return 'withdrawn';
  if (!isPast(publishedAt)) return 'upcoming';
  if (isPast(recalledAt)) return 'withdrawn, image kept';
  return isPast(deprecatedAt) ? 'deprecated' : 'published';
}
