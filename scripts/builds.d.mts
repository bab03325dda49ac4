export function newBuild(root: string): string
export function publishBuild(root: string, folder: string): void
