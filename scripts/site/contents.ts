/** A folder stands for the papers in it, by name. It has a page that lists them. */
export type PaperFolder = { readonly title: string; readonly folder: string };

export type Chapter = { readonly title: string; readonly papers: readonly (string | PaperFolder)[] };

/** The papers of the site, in the order of its side bar. Every paper stands in exactly one chapter: a test says so. */
export const chapters: readonly Chapter[] = [
  {
    title: 'Begin',
    papers: ['README.md', 'docs/embedded-eks.md', { title: 'Walkthroughs', folder: 'docs/walkthroughs' }],
  },
  {
    title: 'In a cluster',
    papers: [
      'docs/real-clusters.md',
      'docs/image.md',
      'docs/interruptions.md',
      'docs/compatibility.md',
      'docs/other-controllers.md',
    ],
  },
  {
    title: 'Nodes and images',
    papers: [
      'docs/images.md',
      'docs/rollouts.md',
      'docs/disruption.md',
      'docs/node-groups.md',
      'docs/overlays-and-buffers.md',
      'docs/reasons.md',
      'docs/incidents.md',
    ],
  },
  {
    title: 'Look, foresee, test',
    papers: ['docs/ui.md', 'docs/forecast.md', 'docs/lint.md', 'docs/testing.md', 'examples/ci/README.md'],
  },
  {
    title: 'Reference',
    papers: [
      'docs/commands.md',
      'docs/metrics.md',
      'docs/aws-calls.md',
      'docs/aws-served.md',
      'docs/glossary.md',
      'CHANGELOG.md',
    ],
  },
  {
    title: 'How it is made',
    papers: [
      'ARCHITECTURE.md',
      'CONTRIBUTING.md',
      'docs/dependencies.md',
      'docs/site.md',
      'docs/below-the-wire.md',
      'docs/invariants.md',
      { title: 'Decisions', folder: 'docs/adr' },
      { title: 'Benchmarks', folder: 'bench' },
    ],
  },
];
