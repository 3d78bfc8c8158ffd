import type { Build } from './build.ts';

const plainVersions = ['2023.3.20240131.0', '2023.3.20240219.0', '2023.5.20240805.0'];

/** Amazon Linux 2023 without the parts of EKS. A node class that names it by mistake gets nodes that cannot join. */
export const buildPlainAmazonLinux = (): readonly Build[] =>
  plainVersions.flatMap((build) =>
    (['amd64', 'arm64'] as const).map((arch): Build => {
      const serial = build.split('.')[2] ?? '';
      const day = `${serial.slice(0, 4)}-${serial.slice(4, 6)}-${serial.slice(6)}`;
      return {
        family: 'AmazonLinux',
        variant: 'standard',
        arch,
        kubernetesVersion: '',
        version: build,
        name: `al2023-ami-${build}-kernel-6.1-${arch === 'amd64' ? 'x86_64' : 'arm64'}`,
        createdAt: `${day}T06:00:00Z`,
        publishedAt: `${day}T18:00:00Z`,
        behavior: 'neverJoins',
        kubeletVersion: '',
        osImage: `Amazon Linux ${build}`,
        kernelVersion: '6.1.77-99.164.amzn2023',
        containerRuntimeVersion: '',
      };
    }),
  );
