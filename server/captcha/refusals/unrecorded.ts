import { AppError } from '../../kit/error.ts'

/**
 * Runs a step of a verification. For a trial in the console, a refusal is neither counted nor stored, as nothing else of a trial
 * is counted: the console shows it where it is tried.
 */
export async function unrecordedIf<T>(isTrial: boolean, step: () => Promise<T>): Promise<T> {
  if (!isTrial) return step()
  try {
    return await step()
  } catch (error) {
    if (error instanceof AppError) error.isRecorded = false
    throw error
  }
}
