/** The Kubernetes version of a cluster whose file and manifests ask for none. */
export const usualMinor = '1.34';

/** A quiet Monday morning, when all supported minors have images. */
export const usualStart = Date.parse('2026-03-02T08:00:00Z');
