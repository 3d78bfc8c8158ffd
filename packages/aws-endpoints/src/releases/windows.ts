import type { Build } from './build.ts';
import { type BuildDay, daysAfter, withinSupport } from './days.ts';
import { kubeletVersion } from './kubelets.ts';
import { imagesUntil, type Minor, parseMinorNumber } from './minors.ts';

/** The second Wednesday of every month, the day after Microsoft's patches; published two days later. */
const windowsDays: readonly BuildDay[] = Array.from({ length: 12 * 6 }, (_, month) => {
  const first = new Date(Date.UTC(2022, 7 + month, 1));
  const created = daysAfter(first.toISOString().slice(0, 10), ((10 - first.getUTCDay()) % 7) + 7);
  return { created, published: daysAfter(created, 2) };
});

const systems = [
  { family: 'Windows2019', year: '2019', build: '10.0.17763', firstMinor: 22 },
  { family: 'Windows2022', year: '2022', build: '10.0.20348', firstMinor: 22 },
  { family: 'Windows2025', year: '2025', build: '10.0.26100', firstMinor: 35 },
] as const;

/** Core has the moving parameter that aliases follow; Full is there for those who ask by name. */
const editions = ['Core', 'Full'] as const;

export const windowsReleases = (minor: Minor): readonly Build[] =>
  withinSupport(windowsDays, { released: minor.released, until: imagesUntil(minor) }).flatMap(
    ({ created, published }) =>
      systems
        .filter(({ firstMinor }) => parseMinorNumber(minor.version) >= firstMinor)
        .flatMap(({ family, year, build }) =>
          editions.map((edition): Build => {
            const version = created.replaceAll('-', '.');
            return {
              family,
              variant: 'standard',
              arch: 'amd64',
              kubernetesVersion: minor.version,
              version,
              name: `Windows_Server-${year}-English-${edition}-EKS_Optimized-${minor.version}-${version}`,
              createdAt: `${created}T20:00:00Z`,
              publishedAt: `${published}T18:00:00Z`,
              kubeletVersion: kubeletVersion(minor.version, created, 'eks'),
              osImage: `Windows Server ${year} Datacenter`,
              kernelVersion: build,
              containerRuntimeVersion: 'containerd://1.7.11',
            };
          }),
        ),
  );
