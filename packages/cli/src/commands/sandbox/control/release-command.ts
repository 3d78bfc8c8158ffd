import { instant, toTimestamp } from '@nodewright/apis';
import { nodeBehaviors, releaseFamilies } from '@nodewright/aws-endpoints/release-kinds';
import { buildCommand, buildRouteMap } from '@stricli/core';
import { outputAliases, outputFlag } from '../../../terminal/output.ts';
import { parsePlainText, kubernetesMinor, parseTimestamp } from '../../../terminal/parsers.ts';
import type { ListFlags, PublishFlags, ReleaseFlags, WithdrawFlags } from './releases.ts';

/** In UTC, as release feeds have it. */
const parseReleaseTime = (value: string): string => toTimestamp(instant(parseTimestamp(value)));

/** Whatever case it is written in: aliases of EC2NodeClasses have their families in small letters. */
const parseReleaseFamily = (value: string): string =>
  releaseFamilies.find((family) => family.toLowerCase() === value.toLowerCase()) ?? parsePlainText(value);

const releaseField = (brief: string, parse = parsePlainText) =>
  ({ kind: 'parsed', parse, optional: true, brief }) as const;

const which = {
  output: outputFlag,
  family: releaseField(releaseFamilies.join(', '), parseReleaseFamily),
  variant: releaseField('standard, nvidia, neuron or fips [every one]'),
  arch: releaseField('amd64 or arm64 [both]'),
  kubernetesVersion: releaseField("Kubernetes minor, 1.29 [the control plane's]", kubernetesMinor),
  version: releaseField('Release, v20240202 or 1.18.0'),
  imageId: releaseField('Image id'),
};

/** What is taken back or deprecated is so for every Kubernetes version, unless one is named. */
const whichEverywhere = {
  ...which,
  kubernetesVersion: releaseField('Kubernetes minor, 1.29 [every one]', kubernetesMinor),
} as const;

const listReleasesCommand = buildCommand<ListFlags>({
  docs: { brief: 'List what was published, newest first' },
  parameters: {
    flags: {
      ...which,
      upcoming: { kind: 'boolean', default: false, withNegated: false, brief: 'Also what is still to come' },
    },
    aliases: outputAliases,
  },
  loader: async () => (await import('./releases.ts')).listReleases,
});

const publish = buildCommand<PublishFlags>({
  docs: {
    brief: 'Publish a release, now or at a time',
    fullDescription: `Needs --family and --version. Nodes that boot it behave as --behavior says: ${nodeBehaviors.join(', ')}.`,
  },
  parameters: {
    flags: {
      ...which,
      behavior: releaseField('How nodes of it behave [healthy]'),
      publishedAt: releaseField('When, RFC 3339 [now]', parseReleaseTime),
      createdAt: releaseField('When the images were made [with publication]', parseReleaseTime),
      promotedAt: releaseField('When the moving parameter comes to it [with publication]', parseReleaseTime),
    },
    aliases: outputAliases,
  },
  loader: async () => (await import('./releases.ts')).publishRelease,
});

const withdraw = buildCommand<WithdrawFlags>({
  docs: { brief: 'Take a release back: its parameter and image go, and the moving parameter moves back' },
  parameters: {
    flags: {
      ...whichEverywhere,
      keepImage: {
        kind: 'boolean',
        default: false,
        withNegated: false,
        brief: 'Only move the moving parameter back: the image and its own parameter stay',
      },
    },
    aliases: outputAliases,
  },
  loader: async () => (await import('./releases.ts')).withdrawRelease,
});

const deprecate = buildCommand<ReleaseFlags>({
  docs: { brief: 'Mark the images of a release as deprecated; they can still be launched' },
  parameters: { flags: whichEverywhere, aliases: outputAliases },
  loader: async () => (await import('./releases.ts')).deprecateRelease,
});

/** `nodewright sandbox release`. */
export const releaseCommand = buildRouteMap({
  routes: { list: listReleasesCommand, publish, withdraw, deprecate },
  defaultCommand: 'list',
  docs: { brief: 'The image releases of a running sandbox' },
});
