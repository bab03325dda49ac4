type Spec = { title: string; tests: { status: string; annotations: { type: string; description: string }[] }[] }
type Suite = { specs?: Spec[]; suites?: Suite[] }
export const REPORT: string
export function worksWithRows(report: { suites: Suite[] }): string[]
export function withRows(page: string, rows: string[]): string
export function worksWithDifference(report: { suites: Suite[] }): string
