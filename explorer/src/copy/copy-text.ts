// Copies text to the clipboard and reports it.
import { showToast } from '../ui/toast.tsx';

export async function copyText(text: string): Promise<void> {
  await navigator.clipboard.writeText(text).then(
    () => showToast('Copied.'),
    () => showToast('The browser denied access to the clipboard. Select and copy the text.', 'danger'),
  );
}
