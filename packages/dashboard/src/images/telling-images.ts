import type { ReportedImage } from './image-report.ts';

/** Of each variant and architecture people see so many releases; programs get all. */
const mostOfALine = 5;

/** The images that are selected, run by some node, or among the newest of their variant and architecture. */
export function selectTellingImages(images: readonly ReportedImage[]): readonly ReportedImage[] {
  const lineOf = ({ variant, arch }: ReportedImage): string => `${variant} ${arch}`;
  const newest = new Set(
    [...new Set(images.map(lineOf))].flatMap((line) =>
      images.filter((image) => lineOf(image) === line).slice(0, mostOfALine),
    ),
  );
  return images.filter((image) => image.state === 'selected' || image.nodes > 0 || newest.has(image));
}
