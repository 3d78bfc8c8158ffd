import type { Build } from './build.ts';
import { buildDays, imaginedDays, withinSupport } from './days.ts';
import { kubeletVersion } from './kubelets.ts';
import { imagesUntil, type Minor, parseMinorNumber } from './minors.ts';

/** Canonical publishes on the day it builds. */
const ubuntuDays = [
  ...buildDays('20220818 20220914 20221018 20221104 20221111 20221206 20221208'),
  ...imaginedDays('2022-12-20', '2028-07-31').filter((_, at) => at % 2 === 0),
].map(({ created }) => ({ created, published: created }));

const archs = ['amd64', 'arm64'] as const;

/** Ubuntu 20.04 as long as Canonical built it for EKS, 24.04 for the minors after that. */
export const ubuntuReleases = (minor: Minor): readonly Build[] =>
  withinSupport(ubuntuDays, { released: minor.released, until: imagesUntil(minor) }).flatMap(({ created, published }) =>
    archs.map((arch): Build => {
      const serial = created.replaceAll('-', '');
      const isFocal = parseMinorNumber(minor.version) <= 32;
      const image = isFocal ? 'hvm-ssd/ubuntu-focal-20.04' : 'hvm-ssd-gp3/ubuntu-noble-24.04';
      return {
        family: 'Ubuntu',
        variant: 'standard',
        arch,
        kubernetesVersion: minor.version,
        version: `v${serial}`,
        name: `ubuntu-eks/k8s_${minor.version}/images/${image}-${arch}-server-${serial}`,
        createdAt: `${created}T05:00:00Z`,
        publishedAt: `${published}T14:00:00Z`,
        kubeletVersion: kubeletVersion(minor.version, created, 'eks'),
        osImage: isFocal ? 'Ubuntu 20.04.6 LTS' : 'Ubuntu 24.04.2 LTS',
        kernelVersion: isFocal ? '5.15.0-1052-aws' : '6.8.0-1031-aws',
        containerRuntimeVersion: 'containerd://1.7.2',
      };
    }),
  );
