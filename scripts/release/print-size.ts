/** Bytes as people read them: `1.4 MB`. */
export const printSize = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
