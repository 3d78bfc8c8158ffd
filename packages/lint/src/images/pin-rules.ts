import { days, type EC2NodeClass, type Instant } from '@nodewright/apis';
import { findKnownIssues, type KnownIssue } from '@nodewright/engine';
import type { LintProblem, LintRule } from '../lint-rule.ts';
import { familiesOf, pinnedRelease, writtenTerms, type PinnedRelease } from './image-terms.ts';

const pinsOf = (nodeClass: EC2NodeClass): readonly PinnedRelease[] =>
  writtenTerms(nodeClass).flatMap((written) => pinnedRelease(written) ?? []);

export const knownIssueRule: LintRule = {
  name: 'image-known-bad',
  severity: 'error',
  about: 'A pin names a release about which its vendor or many users have reported harm.',
  check: ({ nodeClasses }, { kubernetesVersion }) =>
    nodeClasses.flatMap((nodeClass) =>
      pinsOf(nodeClass).flatMap((pin) =>
        findKnownIssues(pin, kubernetesVersion).map((issue) => knownIssueProblem(nodeClass, pin, issue)),
      ),
    ),
};

const knownIssueProblem = (object: EC2NodeClass, { path, value }: PinnedRelease, issue: KnownIssue): LintProblem => ({
  object,
  path,
  value,
  why: `${issue.what}${issue.minors === undefined ? '' : ` (Kubernetes ${issue.minors.join(', ')})`}; see ${issue.source}`,
  instead: `pin a release that you have tested${issue.goodVersion === undefined ? '' : `; ${issue.goodVersion} does not have this defect`}`,
});

const oldMs = days(90);

export const agedPinRule: LintRule = {
  name: 'image-pin-old',
  severity: 'warning',
  about:
    'A pinned release of Amazon Linux or Windows is older than 90 days, so its nodes lack the security fixes since.',
  check: ({ nodeClasses }, { now }) =>
    nodeClasses.flatMap((nodeClass) =>
      pinsOf(nodeClass).flatMap((pin) => {
        const madeAt = dayOfRelease(pin.version);
        if (madeAt === undefined || now - madeAt < oldMs) return [];
        return [
          {
            object: nodeClass,
            path: pin.path,
            value: pin.value,
            why: `the release is ${Math.floor((now - madeAt) / days(1))} days old`,
            instead: 'pin a newer one, or follow @latest with minimumAgeDuration and a NodeRolloutPolicy',
          },
        ];
      }),
    ),
};

/** Amazon Linux and Windows name their releases after a day: `v20240117`, `2024.01.17`. */
function dayOfRelease(version: string): Instant | undefined {
  const [, year, month, day] = /^v?(\d{4})[.]?(\d\d)[.]?(\d\d)$/.exec(version) ?? [];
  const at = Date.parse(`${year}-${month}-${day}T00:00:00Z`);
  return Number.isNaN(at) ? undefined : (at as Instant);
}

/** The last minor for which EKS makes images of Amazon Linux 2. */
const lastMinorOfAmazonLinux2 = 32;

export const endedFamilyRule: LintRule = {
  name: 'image-family-ended',
  severity: 'warning',
  about:
    'EKS makes no more images of Amazon Linux 2: none for Kubernetes 1.33 and later, and no fixes since November 2025.',
  check: ({ nodeClasses }, { kubernetesVersion, now }) =>
    nodeClasses
      .filter((nodeClass) => familiesOf(nodeClass).includes('AL2'))
      .flatMap((nodeClass) => {
        const isGone = Number(kubernetesVersion?.split('.')[1] ?? 0) > lastMinorOfAmazonLinux2;
        if (!isGone && now < Date.parse('2025-11-26T00:00:00Z')) return [];
        return [
          {
            object: nodeClass,
            path: ['spec', nodeClass.spec.amiFamily === undefined ? 'amiSelectorTerms' : 'amiFamily'],
            value: 'AL2',
            why: isGone
              ? `there are no images of Amazon Linux 2 for Kubernetes ${kubernetesVersion}`
              : 'images of Amazon Linux 2 get no fixes since November 2025, and there are none for Kubernetes 1.33 and later',
            instead: 'use AL2023 or Bottlerocket; user data of Amazon Linux 2 does not work there as it is',
          },
        ];
      }),
};
