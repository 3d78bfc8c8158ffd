import type { ImageRelease } from './release.ts';

/** One build as its family's history tells it; the image's id follows from the name. */
export type Build = Omit<ImageRelease, 'imageId'>;
